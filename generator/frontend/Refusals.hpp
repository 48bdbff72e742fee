// generator/frontend/Refusals.hpp: reports what kernels cannot contain.
#pragma once

#include "Diagnostics.hpp"
#include "Includes.hpp"

#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace foldwise {

/// What device code lacks for a comparison of floating-point numbers in three ways, also where a library's code does
/// it, as that of a std::pair does.
inline constexpr char comparisonOfFloats[] = "<=> of floating-point numbers";

/// What device code lacks for std::atomic_ref of other elements.
inline constexpr llvm::StringLiteral atomicsOfOtherSizes = "atomic operations of other than 4 and 8 bytes";

/// Why something cannot be in a kernel.
struct Refused {
    Message message = Message::NotInDeviceCode;
    std::string what;          ///< The argument of the message.
    std::string lacking = {};  ///< What device code lacks for it, if that is something else.
    std::string type =
        {};  ///< A class of Thrust's, libcu++'s or CUDA's whose member it is, or that it takes or returns.
    bool isConst = false;  ///< Whether a variable cannot change, but is not known while compiling.
    bool isCudas = false;  ///< Whether a function is declared by a header of CUDA's own.
    bool operator==(const Refused&) const = default;
};

/// What is refused where a kernel calls another one.
inline constexpr llvm::StringRef callOfKernel = "a call of another kernel";

/// What is refused where a kernel throws an exception.
inline constexpr llvm::StringLiteral thrown = "throw";

/// A reference on the way from a kernel to a declaration.
struct Route {
    clang::SourceLocation at;
    const Route* previous = nullptr;  ///< The reference that led to the text which this one is in; null at the kernel.
};

/// Something that cannot be in a kernel, where it was found, and how the kernel leads there.
struct Refusal {
    clang::SourceLocation at;
    const Route* route = nullptr;
    Refused why;
};

/// Reports refusals at the user's own lines, each line once, however many kernels and signatures lead to it.
class RefusalReporter {
  public:
    RefusalReporter(clang::DiagnosticsEngine& engine, const Includes& includes)
        : engine_(engine), includes_(includes) {}

    /// Reports one refusal of the kernel that is declared at `kernel`. What is found in a library's code is reported
    /// where the user's code calls the library, or at `place` if none of the user's code is on the way. A class of the
    /// host's is reported once in each text that has it. `madeAt` is where the kernel is declared, if a function has
    /// made its lambda; else it is invalid.
    void report(const Refusal& refusal, clang::SourceLocation kernel, clang::SourceLocation place,
                clang::SourceLocation madeAt);

  private:
    bool repeatsForeign(const Refused& why, clang::SourceLocation kernel);

    clang::DiagnosticsEngine& engine_;
    const Includes& includes_;
    std::set<clang::SourceLocation> reported_;
    std::set<std::pair<clang::FileID, unsigned>> linesWithLibraryCalls_;              // those reported already
    std::set<std::tuple<std::string, const Route*, clang::SourceLocation>> classes_;  // with their text and kernel
    std::set<std::pair<clang::SourceLocation, llvm::StringRef>> foreign_;  // what kernels were told to write instead
};

}  // namespace foldwise
