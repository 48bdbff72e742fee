// tests/fuzz/mutate/Mutator.hpp: changes specs token by token, so that what comes out is often still C++.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

enum class TokenKind {
    Space,      ///< White space and comments.
    Directive,  ///< A preprocessor line, the whole of it.
    Word,       ///< Identifiers and keywords.
    Number,
    Text,  ///< String and character literals.
    Punctuation,
};

struct Token {
    TokenKind kind;
    std::string text;
};

/// Any text, C++ or not: the tokens' texts joined are the text again.
std::vector<Token> tokenize(std::string_view text);

/// Changes a spec in one to four places. `donor` is another spec, from which pieces may come. The same generator state
/// gives the same result.
std::string mutate(std::string_view spec, std::string_view donor, std::mt19937_64& rng);

}  // namespace fuzz
