// generator/frontend/Races.hpp: finds elements that several tasks write, or some read and others write, without
// synchronisation.
#pragma once

#include <clang/AST/Decl.h>
#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace foldwise {

/// Between whom a race is: the tasks of a forall kernel, or the items of a block.
enum class RaceOf { Tasks, Items };

/// A write, and two tasks that meet there; or a read, and a task that reads what another one writes.
struct Race {
    clang::SourceLocation at;
    clang::SourceRange element;
    std::string view;
    bool isUpdate = false;        ///< What is there goes into what is written.
    bool isConditional = false;   ///< Whether tasks get there is up to data.
    bool isAtomic = false;        ///< A std::atomic_ref loads and stores, and what is stored in between is lost.
    bool storesSame = false;      ///< All store one value, whoever is last.
    std::string first, second;    ///< "(0)" and "(1)": the tasks. The first is the one that reads.
    std::string place;            ///< "0", or "(0, 1)": where they meet; empty if that is up to the data.
    std::string assumption;       ///< " if n is 2": what has to hold for them to meet just there.
    std::string atomic;           ///< "std::atomic_ref(v[0]).fetch_add(1)": what to write; empty if it is no one call.
    std::string data;             ///< "pixels[i]": they meet wherever this is the same in both; else empty.
    bool isBesideAtomic = false;  ///< What is written is updated by std::atomic_ref, and not read.
    bool isInItsWrite = false;    ///< The read is a part of the statement that writes.
    std::string guard;            ///< "t < w": the items that a step of a tree needs; empty if it is none.
    clang::SourceLocation written = {};  ///< Where the element is written that is read; invalid if it is not read.
};

/// The races in the body of a forall kernel's lambda: writes without std::atomic_ref at places that are the same
/// for two tasks whatever values all tasks have in common; and updates at places that come from data, such as
/// `v[x[i]] += 1` and `if (y > v[x[i]]) v[x[i]] = y`; and, for each view that has none of these, a read of what another
/// task writes. What cannot be followed, such as what functions do that are given
/// a view, is not taken for a race.
std::vector<Race> findRaces(const clang::FunctionDecl& body);

/// The races of a block's items in its phases: an element of shared memory that one item writes and another one writes,
/// or reads, in the same phase, whatever values all items have in common and whatever the data are.
std::vector<Race> findPhaseRaces(const clang::FunctionDecl& block, llvm::ArrayRef<std::uint64_t> extents);

}  // namespace foldwise
