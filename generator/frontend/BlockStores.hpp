// generator/frontend/BlockStores.hpp: finds elements that all items or blocks of a `blocks` kernel write, or that all
// blocks read, and views of which each item accesses an element.
#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace foldwise {

/// A write without std::atomic_ref at a place that is the same for all items of a block, or in all blocks.
struct BlockStore {
    clang::SourceLocation at;
    clang::SourceRange element;
    std::string array;
    std::string item;       ///< "t": the parameter of the phase's lambda; empty in one that runs once.
    bool isShared = false;  ///< Whether it is shared memory, and so all items write; otherwise all blocks do.
    bool isUpdate = false;
    std::string atomic;  ///< The call of std::atomic_ref that does the same, or adds what is stored; or empty.
};

/// A read of a view's element at the item's index in its block, `x[t]`, which is the same in all blocks.
struct BlockRead {
    clang::SourceLocation at;
    clang::SourceRange element;
    std::string text;  ///< "x[t]"
    std::string view;
    std::string item;  ///< "t": the parameter of the phase's lambda.
};

/// What is known of a block's accesses without running it.
struct BlockAccesses {
    /// The writes in phases of elements whose coordinates, and the conditions on the way there, follow from what all
    /// items, or all blocks, have in common: values, extents, constants, and the phase's item in the case of blocks,
    /// whose conditions may also keep items within a view. What cannot be followed, such as conditions on data, is
    /// taken for different.
    std::vector<BlockStore> stores;
    /// The reads `x[t]` of views that are asked elsewhere for elements at places among those of all blocks, such as
    /// b.at(t): x is no table that each block reads from its beginning.
    std::vector<BlockRead> reads;
    /// For each parameter after the block, whether each item certainly accesses the view's element at its own index
    /// among those of all blocks, `b.at(t)`.
    std::vector<bool> areOfAllItems;
};

BlockAccesses blockAccesses(const clang::FunctionDecl& body);

}  // namespace foldwise
