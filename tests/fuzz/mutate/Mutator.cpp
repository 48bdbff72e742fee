// tests/fuzz/mutate/Mutator.cpp: the tokens and the mutations.
#include "Mutator.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace fuzz {

namespace {

using Tokens = std::vector<Token>;

constexpr std::string_view operators[] = {
    "<=>", "<<=", ">>=", "...", "->*", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "+",  "-",  "*",  "/",  "%",  "&",  "|",
    "^",   "~",   "!",   "<",   ">",   "=",  "?",  ":",  ",",  ";",  "(",  ")",  "[",  "]",  "{",  "}",
};

constexpr std::string_view words[] = {
    "auto",     "bool",      "char",         "short",    "int",       "long",          "unsigned",
    "float",    "double",    "void",         "const",    "constexpr", "static",        "inline",
    "mutable",  "volatile",  "virtual",      "template", "typename",  "class",         "struct",
    "union",    "enum",      "namespace",    "using",    "operator",  "return",        "if",
    "else",     "for",       "while",        "do",       "switch",    "case",          "default",
    "break",    "continue",  "goto",         "this",     "new",       "delete",        "throw",
    "try",      "catch",     "sizeof",       "decltype", "requires",  "concept",       "co_return",
    "true",     "false",     "nullptr",      "noexcept", "consteval", "constinit",     "friend",
    "explicit", "extern",    "thread_local", "asm",      "typedef",   "static_assert", "std",
    "foldwise", "vectorize", "reduce",       "forall",   "index",     "half",          "bfloat16",
    "view",     "fail",      "identity",     "combine",  "tuple",     "pair",          "array",
    "complex",  "optional",  "vector",       "string",   "min",       "sqrt",          "numeric_limits",
    "size_t",   "int32_t",   "uint8_t",      "int64_t",  "scan",
};

constexpr std::string_view numbers[] = {"0",   "1",          "2",     "-1",    "0.5f",  "1e300", "0x7fffffff",
                                        "64",  "4294967296", "1.0",   "1'000", "0b101", "3ull",  "1e-50f",
                                        "0.0", "9",          "'\\0'", "7u",    "1.5L"};

constexpr std::string_view snippets[] = {
    "[=]",
    "[&]",
    "[]",
    "[x = 1]",
    "template <class T> ",
    "<float(float)>",
    "<double(double, double)>",
    "...",
    "foldwise::index<1> i, ",
    "foldwise::view<float, 1> v",
    "throw 1;",
    "new int[3]",
    "static int n = 0; ++n;",
    "std::tuple{1, 2.0f}",
    "return;",
    "-> float",
    "if constexpr (sizeof(x) > 4) ",
    "auto& [a, b] = x;",
    "union { int p; float q; };",
    "struct Local { int v; } local{};",
    "try { } catch (...) { }",
    "asm(\"\");",
    "goto end; end:;",
    "std::printf(\"%d\", 1);",
    "while (true) ",
    "requires true ",
    "noexcept(true) ",
    "mutable ",
    "/* comment */",
    "// comment\n",
    "#define M 1\n",
    "alignas(64) ",
    "[[maybe_unused]] ",
    "(void)0;",
    "__builtin_trap();",
    "using namespace std;",
    "extern \"C\" ",
    "typename T::type ",
    "&&",
    "*&",
    "int a[0];",
    "static_cast<int>(x)",
    "reinterpret_cast<int&>(x)",
    "decltype(auto)",
    "std::vector<int> v(3);",
    "auto g = foldwise::vectorize([](float x) { return x; });",
    "foldwise::reduce<float>([](auto a, auto b) { return a; })",
};

std::size_t below(std::size_t n, std::mt19937_64& rng) { return static_cast<std::size_t>(rng() % n); }
template <class Range> auto& pick(Range& range, std::mt19937_64& rng) { return range[below(std::size(range), rng)]; }

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// How many characters the token at the beginning of a text has, and its kind. The text is not empty.
std::pair<TokenKind, std::size_t> firstToken(std::string_view text, bool beginsLine) {
    const auto until = [&](auto stops) {
        std::size_t n = 1;
        while (n < text.size() && !stops(text[n])) ++n;
        return n;
    };
    const char c = text.front();
    if (std::isspace(static_cast<unsigned char>(c)) != 0)
        return {TokenKind::Space, until([](char next) { return std::isspace(static_cast<unsigned char>(next)) == 0; })};
    if (text.starts_with("//")) return {TokenKind::Space, std::min(text.find('\n'), text.size())};
    if (text.starts_with("/*")) return {TokenKind::Space, std::min(text.find("*/", 2), text.size() - 2) + 2};
    if (c == '#' && beginsLine) return {TokenKind::Directive, std::min(text.find('\n'), text.size())};
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
        return {TokenKind::Number,
                until([](char next) { return !isWordCharacter(next) && next != '.' && next != '\''; })};
    if (isWordCharacter(c)) return {TokenKind::Word, until([](char next) { return !isWordCharacter(next); })};
    if (c == '"' || c == '\'') {
        std::size_t n = 1;
        while (n < text.size() && text[n] != c && text[n] != '\n') n += text[n] == '\\' ? 2 : 1;
        return {TokenKind::Text, std::min(n + 1, text.size())};
    }
    for (const std::string_view op : operators)
        if (text.starts_with(op)) return {TokenKind::Punctuation, op.size()};
    return {TokenKind::Punctuation, 1};
}

/// The places of tokens that a mutation may take: most of the time neither white space nor directives.
std::vector<std::size_t> places(const Tokens& tokens, std::mt19937_64& rng) {
    const bool all = rng() % 16 == 0;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (all || (tokens[i].kind != TokenKind::Space && tokens[i].kind != TokenKind::Directive)) result.push_back(i);
    return result;
}

/// The end of what a bracket at `first` opens, or `first` if it is none or stays open.
std::size_t closing(const Tokens& tokens, std::size_t first) {
    static constexpr std::array<std::string_view, 3> opens{"(", "[", "{"}, closes{")", "]", "}"};
    if (std::ranges::find(opens, tokens[first].text) == opens.end()) return first;
    int depth = 0;
    for (std::size_t i = first; i < tokens.size(); ++i) {
        if (std::ranges::find(opens, tokens[i].text) != opens.end()) ++depth;
        if (std::ranges::find(closes, tokens[i].text) != closes.end() && --depth == 0) return i;
    }
    return first;
}

/// From a place to the end of its statement.
std::size_t statementEnd(const Tokens& tokens, std::size_t first) {
    std::size_t i = first;
    while (i + 1 < tokens.size() && tokens[i].text != ";" && tokens[i].text != "}") i = closing(tokens, i) + 1;
    return std::min(i, tokens.size() - 1);
}

Token anyOf(TokenKind kind, std::mt19937_64& rng) {
    switch (kind) {
    case TokenKind::Word:
        return {kind, std::string(pick(words, rng))};
    case TokenKind::Number:
        return {kind, std::string(pick(numbers, rng))};
    case TokenKind::Punctuation:
        return {kind, std::string(pick(operators, rng))};
    default:
        return {kind, " " + std::string(pick(snippets, rng)) + " "};
    }
}

void erase(Tokens& tokens, std::size_t first, std::size_t last) {
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                 tokens.begin() + static_cast<std::ptrdiff_t>(last) + 1);
}
void insert(Tokens& tokens, std::size_t at, std::span<const Token> piece) {
    const Tokens copy(piece.begin(), piece.end());  // it may come from the same tokens
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), copy.begin(), copy.end());
}
std::span<const Token> piece(const Tokens& tokens, std::size_t first, std::size_t last) {
    return std::span(tokens).subspan(first, last - first + 1);
}

void mutateOnce(Tokens& tokens, const Tokens& donor, std::mt19937_64& rng) {
    const std::vector<std::size_t> own = places(tokens, rng), others = places(donor, rng);
    if (own.empty()) return insert(tokens, 0, donor);
    const std::size_t at = pick(own, rng), other = others.empty() ? 0 : pick(others, rng);
    switch (rng() % 12) {
    case 0:
        tokens[at] = anyOf(tokens[at].kind, rng);
        break;
    case 1: {  // by another of its kind
        std::vector<std::size_t> alike;
        for (const std::size_t i : own)
            if (tokens[i].kind == tokens[at].kind) alike.push_back(i);
        tokens[at] = tokens[alike.empty() ? at : pick(alike, rng)];
        break;
    }
    case 2:
        erase(tokens, at, at);
        break;
    case 3:
        insert(tokens, at, piece(tokens, at, at));
        break;
    case 4:
        std::swap(tokens[at], tokens[pick(own, rng)]);
        break;
    case 5: {
        const Token snippet{TokenKind::Text, " " + std::string(pick(snippets, rng)) + " "};
        insert(tokens, at, std::span(&snippet, 1));
        break;
    }
    case 6:
        erase(tokens, at, statementEnd(tokens, at));
        break;
    case 7:
        insert(tokens, at, piece(tokens, at, statementEnd(tokens, at)));
        break;
    case 8:  // what is between brackets
        if (const std::size_t end = closing(tokens, at); end > at + 1) erase(tokens, at + 1, end - 1);
        break;
    case 9:
        if (!others.empty()) insert(tokens, at, piece(donor, other, statementEnd(donor, other)));
        break;
    case 10:  // a bracket's content by another's
        if (const std::size_t end = closing(tokens, at); end > at && !others.empty())
            for (const std::size_t i : others)
                if (donor[i].text == tokens[at].text && closing(donor, i) > i && rng() % 3 == 0) {
                    const Tokens content(donor.begin() + static_cast<std::ptrdiff_t>(i),
                                         donor.begin() + static_cast<std::ptrdiff_t>(closing(donor, i)) + 1);
                    erase(tokens, at, end);
                    return insert(tokens, at, content);
                }
        break;
    case 11:
        if (!others.empty()) tokens[at] = donor[other];
        break;
    }
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
    Tokens tokens;
    bool beginsLine = true;
    while (!text.empty()) {
        const auto [kind, size] = firstToken(text, beginsLine);
        tokens.push_back({kind, std::string(text.substr(0, size))});
        if (kind != TokenKind::Space) beginsLine = false;
        if (tokens.back().text.find('\n') != std::string::npos) beginsLine = true;
        text.remove_prefix(size);
    }
    return tokens;
}

std::string mutate(std::string_view spec, std::string_view donor, std::mt19937_64& rng) {
    Tokens tokens = tokenize(spec);
    const Tokens donors = tokenize(donor);
    const std::size_t more = rng() % 4 == 0 ? 1 + below(3, rng) : 0;  // most specs do not survive two
    for (std::size_t times = 1 + more; times > 0; --times) mutateOnce(tokens, donors, rng);
    std::string result;
    for (const Token& token : tokens) result += token.text;
    return result;
}

}  // namespace fuzz
