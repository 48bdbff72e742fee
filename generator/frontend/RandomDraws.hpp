// generator/frontend/RandomDraws.hpp: finds kernels that draw random numbers by the element's number, so that
// neighbouring elements share blocks of random words.
#pragma once

namespace clang {
class FunctionDecl;
}

namespace foldwise {

/// Whether a body, or what it calls, uses foldwise::random::at.
bool drawsByNumber(const clang::FunctionDecl& body);

}  // namespace foldwise
