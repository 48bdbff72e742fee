// generator/frontend/HostArrays.hpp: recognises types of arrays on the host, which no kernel takes.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <string>

namespace foldwise {

/// The elements of an array, as a pointer, a std::vector or a std::span has them.
struct HostArray {
    clang::QualType element;
    bool isConst = false;  ///< Whether they can only be read.
};

/// What a type holds an array of, looking through references. Nothing if it is no pointer, container, string or span.
std::optional<HostArray> hostArrayOf(clang::QualType type);

/// A member, perhaps of a member, that keeps a class from being copied as bytes.
struct MemberPath {
    std::string name;  ///< "mesh.points"
    clang::QualType type;
};

/// The member because of which a class of the user's is not trivially copyable. Nothing if it is the class itself.
std::optional<MemberPath> memberNotBytes(const clang::CXXRecordDecl& record, const clang::ASTContext& context);

/// What memberNotBytes() finds as a part of a message, " (its member 'mesh.points' is a 'std::vector<float>')", or "".
std::string hostMember(clang::QualType type, const clang::ASTContext& context);

/// What a parameter of such a type is to be, or one that holds it: "; write foldwise::view<const float, 1>". Empty for
/// other types. `takesViews` is whether the lambda takes arrays themselves and not their elements.
std::string insteadOfHostArray(clang::QualType parameter, bool takesViews, const clang::ASTContext& context);

}  // namespace foldwise
