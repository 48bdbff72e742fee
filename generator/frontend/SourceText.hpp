// generator/frontend/SourceText.hpp: the text of source ranges after preprocessing.
#pragma once

#include "Pragmas.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include <string>
#include <vector>

namespace foldwise {

/// The tokens that the parser saw, as they were seen. Text sliced from them has its macros expanded and conditionally
/// excluded lines left out, pragmas as Pragmas has them, and keeps the user's own spacing, comments and line breaks
/// everywhere else. It is UTF-8 throughout: other bytes of literals become escapes.
class SourceText {
  public:
    /// Listens to the preprocessor, from before its first token on.
    explicit SourceText(clang::Preprocessor& preprocessor);

    /// What a slice is asked for beside its text. Each place is where a token begins.
    struct Places {
        llvm::DenseSet<clang::SourceLocation> marks;                    ///< Their offsets are wanted.
        llvm::DenseMap<clang::SourceLocation, std::string> insertions;  ///< Text to insert.
        bool withoutLoopHints =
            false;  ///< Whether pragmas about loops, which only kernels have macros for, are left out.
    };

    struct Slice {
        std::string text;
        /// The marks in the slice, with their offsets.
        std::vector<std::pair<clang::SourceLocation, std::uint32_t>> marks;
        clang::SourceLocation begin;  ///< Where it begins in a file.
        std::vector<std::pair<clang::SourceLocation, std::string>>
            macros;                       ///< Names in it that the headers of generated files define as macros.
        std::vector<const Pragma*> lost;  ///< Pragmas in it that are left out.
        std::vector<clang::SourceLocation> notUtf8;  ///< Literals whose bytes have no escapes.
    };

    /// The text of a closed token range, its lines shifted left to where they would stand if it began a file's line.
    Slice slice(clang::SourceRange range) const { return slice(range, Places()); }
    Slice slice(clang::SourceRange range, const Places& places) const;

    /// Where the attributes in front of a declaration begin, or `begin` if there are none.
    clang::SourceLocation beginOfAttributes(clang::SourceLocation begin) const;

    /// Where the attributes behind a declaration end, or `end` if there are none.
    clang::SourceLocation endOfAttributes(clang::SourceRange range) const;

    /// What pragmas say of the token that begins there.
    const PragmaState& pragmasAt(clang::SourceLocation token) const { return pragmas_.stateAt(find(token)); }

    /// The pragmas left out that choose how a function at a token is compiled.
    std::vector<const Pragma*> lostBefore(clang::SourceLocation token) const;

    /// Where the token behind the one that begins there begins; an invalid place if that is the last one.
    clang::SourceLocation next(clang::SourceLocation token) const;

    /// The token that begins there, or in which the place lies.
    std::string at(clang::SourceLocation token) const { return spelling(tokens_[find(token)]); }

    /// The token before the one that begins there.
    std::string before(clang::SourceLocation token) const;

    /// The token behind the one that begins there.
    std::string after(clang::SourceLocation token) const;

  private:
    struct Token {
        clang::SourceLocation location;
        std::uint32_t length;
        bool leadingSpace;
    };

    std::size_t find(clang::SourceLocation location) const;
    /// `last`, or the token that closes what is open there: Clang ends the range of `int n(3)` before its parenthesis.
    std::size_t closed(std::size_t first, std::size_t last) const;
    std::string spelling(const Token& token) const;
    /// Whether the spec has a name of its own there, which a header of the generated files would replace.
    bool isReplaced(std::size_t token) const;
    /// What stands before a token, behind the one before it.
    std::string gap(std::size_t token, const Places& places) const;
    /// What gap() gives where there is more than white space and comments: directives, what they exclude, empty macros.
    std::string linesOf(llvm::StringRef between, clang::SourceLocation begin, llvm::ArrayRef<Pragma> pragmas,
                        const Places& places) const;
    /// Whether tokens follow each other in one block, or the later one lies deeper.
    bool isWithinBlock(std::size_t from, std::size_t to) const;
    /// The last token of the attribute that begins there, or the one before it if there is none.
    std::size_t endOfAttribute(std::size_t first) const;

    clang::Preprocessor& preprocessor_;
    const clang::SourceManager& sources_;
    Pragmas pragmas_;
    std::vector<Token> tokens_;  // in the order of the translation unit
    llvm::DenseMap<clang::SourceLocation, std::size_t> positions_;
};

}  // namespace foldwise
