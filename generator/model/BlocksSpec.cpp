// generator/model/BlocksSpec.cpp: the parameters of `blocks` kernels, and their JSON.
#include "BlocksSpec.hpp"

#include "SpecJson.hpp"

#include <foldwise/detail/blocks_kernel.hpp>

#include <algorithm>
#include <bit>

namespace foldwise {

namespace json = llvm::json;

template <> struct spec_json::Fields<BlocksParameter> {
    static bool each(auto& parameter, auto&& visit) {
        return visit("name", parameter.name) && visit("type", parameter.type) && visit("rank", parameter.rank) &&
               visit("is_const", parameter.isConst) && visit("read", parameter.isRead) &&
               visit("written", parameter.isWritten) && visit("of_all_items", parameter.isOfAllItems);
    }
};

template <> struct spec_json::Fields<SharedArray> {
    static bool each(auto& array, auto&& visit) {
        return visit("name", array.name) && visit("type", array.type) && visit("extents", array.extents) &&
               visit("count", array.count) && visit("place", array.place);
    }
};

template <> struct spec_json::Fields<BlocksSignature> {
    static bool each(auto& signature, auto&& visit) {
        return Fields<Signature>::each(signature, visit) && visit("parameters", signature.parameters) &&
               visit("extents", signature.extents) && visit("shared", signature.shared) &&
               visit("exchanged", signature.exchanged) && visit("owned", signature.owned) &&
               visit("threads", signature.threads) && visit("phases", signature.phases);
    }
};

template <> struct spec_json::Fields<BlocksSpec> {
    static bool each(auto& spec, auto&& visit) {
        return visit("body", spec.body) && visit("signatures", spec.signatures);
    }
};

std::string typeText(const BlocksParameter& parameter) {
    const std::string& element = parameter.type.text();
    return parameter.rank == 0 ? element : viewText(element, parameter.rank, parameter.isConst);
}

std::uint64_t itemsOf(const BlocksSignature& signature) {
    std::uint64_t items = 1;
    for (const std::uint64_t extent : signature.extents) items *= extent;
    return items;
}

std::uint32_t threadsOfSingleItems(std::uint64_t items) {
    constexpr std::uint64_t warp = 32, most = detail::max_block_threads;
    return static_cast<std::uint32_t>(std::min((items + warp - 1) / warp * warp, most));
}

std::uint32_t threadsOf(std::uint64_t items) {
    // Up to four items of a thread wait for their loads together; many threads wait long for each other.
    constexpr std::uint64_t few = 256, most = detail::max_block_threads, perThread = 4;
    if (items <= few) return threadsOfSingleItems(items);
    return static_cast<std::uint32_t>(std::clamp(std::bit_ceil((items + perThread - 1) / perThread), few, most));
}

std::uint32_t itemsOfThread(const BlocksSignature& signature) {
    return static_cast<std::uint32_t>((itemsOf(signature) + signature.threads - 1) / signature.threads);
}

std::uint32_t leastBlocks(const BlocksSignature& signature) {
    constexpr std::uint32_t threads = 512, leastOwned = 32, mostOwned = 80;  // registers
    const std::uint64_t owned = std::uint64_t{signature.owned + 3} / 4 * itemsOfThread(signature);
    return owned < leastOwned || owned > mostOwned || signature.threads >= threads ? 1 : threads / signature.threads;
}

std::uint64_t scratchBytes(const BlocksSignature& signature) {
    // Two halves, each with a value for every 32 items, in multiples of the alignment of shared memory.
    const std::uint64_t half = (itemsOf(signature) + 31) / 32 * signature.exchanged;
    return 2 * ((half + 15) / 16 * 16);
}

std::optional<std::uint64_t> sharedBytes(const BlocksSignature& signature) {
    detail::shared_bytes all;
    all.add(1, 1, static_cast<std::int64_t>(scratchBytes(signature)));
    for (const SharedArray& array : signature.shared) {
        if (array.extents.empty()) return std::nullopt;
        std::uint64_t count = 1;
        for (const std::uint64_t extent : array.extents) count *= extent;
        all.add(array.type.size, array.type.alignment, static_cast<std::int64_t>(count));
    }
    return static_cast<std::uint64_t>(all.total());
}

std::vector<const ElementType*> elementTypes(const BlocksSignature& signature) {
    std::vector<const ElementType*> types;
    for (const BlocksParameter& parameter : signature.parameters) types.push_back(&parameter.type);
    return types;
}

bool clash(const BlocksSignature& a, const BlocksSignature& b) {
    const auto isSame = [](const BlocksParameter& x, const BlocksParameter& y) {
        return areAlike(x.type, y.type) && x.isConst == y.isConst && (x.rank > 0) == (y.rank > 0);
    };
    return std::ranges::equal(a.parameters, b.parameters, isSame);
}

json::Value toJSON(const BlocksSpec& spec) { return spec_json::writeFields(spec); }
bool fromJSON(const json::Value& value, BlocksSpec& spec, json::Path path) {
    return spec_json::readFields(value, spec, path);
}

}  // namespace foldwise
