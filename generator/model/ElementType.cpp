// generator/model/ElementType.cpp: which types have the same bits.
#include "ElementType.hpp"

#include <llvm/ADT/StringRef.h>

namespace foldwise {

std::string nameOfBits(const std::string& type) {
    if (type == "__half") return "foldwise::half";
    if (type == "__nv_bfloat16") return "foldwise::bfloat16";
    const auto [name, arguments] = llvm::StringRef(type).split('<');
    const bool isForeign = name.starts_with("thrust::") || name.starts_with("cuda::std::");
    if (isForeign && name.ends_with("::complex")) return ("std::complex<" + arguments).str();
    return type;
}

}  // namespace foldwise
