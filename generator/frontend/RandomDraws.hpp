// generator/frontend/RandomDraws.hpp: which kernels draw random numbers that neighbouring elements share blocks of.
#pragma once

namespace clang {
class FunctionDecl;
}

namespace foldwise {

/// Whether a body, or what it calls, uses foldwise::random::at.
bool drawsByNumber(const clang::FunctionDecl& body);

}  // namespace foldwise
