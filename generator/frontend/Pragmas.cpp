// generator/frontend/Pragmas.cpp: reads the words of each pragma, and keeps track of the state that pragmas set until
// others end it.
#include "Pragmas.hpp"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace foldwise {

using namespace clang;
using Words = std::vector<std::string>;
using Fate = Pragma::Fate;

std::string Pragma::asOperator() const {
    llvm::StringRef text = carried;
    if (!text.consume_front("#pragma ")) return carried;
    std::string literal;
    for (const char c : text) literal += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return "_Pragma(\"" + literal + "\")";
}

namespace {

bool beginsWith(const Words& words, std::initializer_list<llvm::StringRef> first) {
    return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

bool isAnyOf(const Words& words, std::size_t at, std::initializer_list<llvm::StringRef> names) {
    return words.size() > at && llvm::is_contained(names, words[at]);
}

/// As people write them: blanks between words, and none within parentheses.
std::string joined(llvm::ArrayRef<std::string> words) {
    std::string text;
    for (const std::string& word : words) {
        const bool isClose =
            text.empty() || text.back() == '(' || text.back() == ':' || llvm::StringRef("(:,)").contains(word);
        text += (isClose ? "" : " ") + word;
    }
    return text;
}

/// What `#pragma unroll` becomes, which compilers spell in different ways. GCC 12 takes numbers only.
std::string unrolled(llvm::ArrayRef<std::string> factor) {
    if (factor.size() > 2 && factor.front() == "(" && factor.back() == ")") factor = factor.drop_front().drop_back();
    if (factor.empty()) return "FOLDWISE_UNROLL_FULLY";
    const bool isNumber = factor.size() == 1 && llvm::all_of(factor.front(), llvm::isDigit);
    if (!isNumber) return "FOLDWISE_UNROLL_BY(" + joined(factor) + ")";
    return "FOLDWISE_UNROLL(" + (factor.front() == "0" ? "1" : factor.front()) + ")";
}

/// What becomes of hints for the loop behind them, or nothing if it is another pragma.
std::string loopHint(const Words& words) {
    if (beginsWith(words, {"unroll"})) return unrolled(llvm::ArrayRef(words).drop_front());
    if (beginsWith(words, {"GCC", "unroll"})) return unrolled(llvm::ArrayRef(words).drop_front(2));
    if (words == Words{"nounroll"}) return unrolled(Words{"1"});
    if (beginsWith(words, {"clang", "loop"}) && words.size() == 6 && words[3] == "(") {
        if (words[2] == "unroll_count") return unrolled(words[4]);
        if (words[2] == "unroll" && words[4] == "disable") return unrolled(Words{"1"});
        if (words[2] == "unroll") return unrolled({});
    }
    // What may change a result, as the order of a sum, is not what a kernel's other backends compute.
    const bool isSimd = beginsWith(words, {"omp", "simd"}) && !llvm::is_contained(words, "reduction");
    if (isSimd || words == Words{"GCC", "ivdep"}) return "FOLDWISE_CPU_PRAGMA(" + joined(words) + ")";
    return "";
}

/// Whether a pragma says nothing about the machine code of what it stands before or in.
bool isForCompilingOnly(const Words& words) {
    if (words.empty()) return true;
    if (words[0] == "GCC" || words[0] == "clang")
        return isAnyOf(words, 1,
                       {"diagnostic", "system_header", "poison", "dependency", "warning", "error", "visibility",
                        "assume_nonnull", "deprecated", "final", "restrict_expansion", "unsafe_buffer_usage"});
    if (llvm::StringRef(words[0]).starts_with("nv_diag") || llvm::StringRef(words[0]).starts_with("diag_")) return true;
    return isAnyOf(words, 0,
                   {"once", "mark", "region", "endregion", "message", "warning", "error", "comment", "ident",
                    "push_macro", "pop_macro", "weak", "redefine_extname", "hd_warning_disable",
                    "nv_exec_check_disable"});
}

/// Whether a pragma's effect ends with the block that it is in.
bool endsWithItsBlock(const Words& words) {
    return isAnyOf(words, 0, {"STDC", "float_control", "fp_contract", "fenv_access"}) ||
           beginsWith(words, {"clang", "fp"});
}

}  // namespace

/// Follows the pragmas that are pushed and popped.
class Pragmas::Simulation {
  public:
    explicit Simulation(std::uint32_t pack) { now.pack = pack; }

    /// `number` is the pragma's own.
    void read(const Words& words, std::size_t number) {
        if (beginsWith(words, {"pack", "("}))
            readPack(words);
        else if (isAnyOf(words, 0, {"GCC", "clang"}) && isAnyOf(words, 1, {"diagnostic"}))
            readDiagnostic(words);
        else if (beginsWith(words, {"GCC", "visibility", "push", "("}) && words.size() > 4)
            now.visibility.push_back(words[4]);
        else if (beginsWith(words, {"GCC", "visibility", "pop"}) && !now.visibility.empty())
            now.visibility.pop_back();
        else if (beginsWith(words, {"GCC"}))
            readOptions(words, number);
        else if (endsWithItsBlock(words))
            now.lostInBlock.push_back(number);
    }

    PragmaState now;

  private:
    void readPack(const Words& words) {
        const bool pushes = words[2] == "push", pops = words[2] == "pop";
        if (words[2] == "show") return;
        std::string label;
        std::uint32_t value = 0;
        bool hasValue = false;
        for (const std::string& word : llvm::drop_begin(words, 2)) {
            if (word == "," || word == ")" || word == "push" || word == "pop") continue;
            if (llvm::to_integer(word, value))
                hasValue = true;
            else
                label = word;
        }
        if (pushes) packs_.emplace_back(label, now.pack);
        if (pops) {
            auto to = packs_.rbegin();
            if (!label.empty())
                to = llvm::find_if(llvm::reverse(packs_), [&](auto& one) { return one.first == label; });
            if (to != packs_.rend()) {
                now.pack = to->second;
                packs_.erase(std::prev(to.base()), packs_.end());
            }
        }
        if (hasValue || !(pushes || pops)) now.pack = value;
    }

    void readDiagnostic(const Words& words) {
        if (isAnyOf(words, 2, {"push"})) {
            diagnostics_.push_back(now.ignored);
        } else if (isAnyOf(words, 2, {"pop"})) {
            now.ignored = diagnostics_.empty() ? std::vector<std::string>() : diagnostics_.back();
            if (!diagnostics_.empty()) diagnostics_.pop_back();
        } else if (words.size() > 3) {
            llvm::erase(now.ignored, words[3]);
            if (words[2] == "ignored") now.ignored.push_back(words[3]);
        }
    }

    void readOptions(const Words& words, std::size_t number) {
        if (isAnyOf(words, 1, {"push_options"})) {
            options_.push_back(now.lost);
        } else if (isAnyOf(words, 1, {"pop_options"})) {
            now.lost = options_.empty() ? std::vector<std::size_t>() : options_.back();
            if (!options_.empty()) options_.pop_back();
        } else if (isAnyOf(words, 1, {"reset_options"})) {
            now.lost.clear();
        } else if (isAnyOf(words, 1, {"optimize", "target"})) {
            now.lost.push_back(number);
        }
    }

    std::vector<std::pair<std::string, std::uint32_t>> packs_;
    std::vector<std::vector<std::string>> diagnostics_;
    std::vector<std::vector<std::size_t>> options_;
};

class Pragmas::Recorder : public PPCallbacks {
  public:
    Recorder(Pragmas& pragmas, Preprocessor& preprocessor, std::function<std::size_t()> nextToken)
        : pragmas_(pragmas), preprocessor_(preprocessor), nextToken_(std::move(nextToken)),
          simulation_(preprocessor.getLangOpts().PackStruct) {
        pragmas_.states_.push_back(simulation_.now);
    }

    void PragmaDirective(SourceLocation location, PragmaIntroducerKind introducer) override {
        const auto* lexer = static_cast<const Lexer*>(preprocessor_.getCurrentLexer());
        if (!lexer) return;
        Pragma pragma;
        pragma.location = location;
        pragma.isDirective = introducer == PIK_HashPragma;
        pragma.next = nextToken_();
        const char* begin = lexer->getBufferLocation();
        const char* end = lexer->getBuffer().end();
        if (pragma.isDirective) {
            end = endOfLine(begin, end);
            const auto [file, offset] = pragmas_.sources_.getDecomposedLoc(location);
            const char* file_begin = pragmas_.sources_.getBufferData(file).begin();
            pragmas_.directives_[file].emplace_back(offset, static_cast<unsigned>(end - file_begin));
        }
        const Words words = wordsOf({begin, static_cast<std::size_t>(end - begin)});
        pragma.text = joined(words);
        decide(pragma, words);
        simulation_.read(words, pragmas_.pragmas_.size());
        pragmas_.pragmas_.push_back(std::move(pragma));
        pragmas_.states_.push_back(simulation_.now);
    }

  private:
    /// The end of the line from `begin` on, which a backslash before a line break continues.
    static const char* endOfLine(const char* begin, const char* end) {
        for (const char* at = begin; at != end; ++at) {
            if (*at != '\n') continue;
            const llvm::StringRef line = llvm::StringRef(begin, static_cast<std::size_t>(at - begin)).rtrim(" \t\r");
            if (!line.ends_with("\\")) return at;
        }
        return end;
    }

    static void decide(Pragma& pragma, const Words& words) {
        if (std::string hint = loopHint(words); !hint.empty()) {
            pragma.fate = Fate::Carried;
            pragma.carried = std::move(hint);
        } else if (beginsWith(words, {"pack"}) || beginsWith(words, {"GCC", "diagnostic"})) {
            pragma.fate = Fate::Carried;
            pragma.carried = "#pragma " + pragma.text;
        } else {
            const bool onlyEnds =
                isAnyOf(words, 0, {"GCC"}) && isAnyOf(words, 1, {"push_options", "pop_options", "reset_options"});
            pragma.fate = onlyEnds || isForCompilingOnly(words) ? Fate::Dropped : Fate::Lost;
        }
    }

    /// Splits the text behind `#pragma` into words, and expands macros in all but the first.
    Words wordsOf(llvm::StringRef written) const {
        std::string text;
        for (; !written.empty(); written = written.drop_front()) {
            if (written.starts_with("\\\n"))
                written = written.drop_front();
            else if (written.starts_with("\\\r\n"))
                written = written.drop_front(2);
            else
                text += written.front();
        }
        Words words;
        Lexer lexer(SourceLocation(), preprocessor_.getLangOpts(), text.data(), text.data(), text.data() + text.size());
        for (;;) {
            Token token;
            lexer.LexFromRawLexer(token);
            if (token.is(tok::eof)) return words;
            const llvm::StringRef word(lexer.getBufferLocation() - token.getLength(), token.getLength());
            if (token.is(tok::raw_identifier) && !words.empty())
                expand(word, words, 0);
            else
                words.push_back(word.str());
        }
    }

    /// Adds what a name stands for, if it is a macro without parameters.
    void expand(llvm::StringRef name, Words& words, int depth) const {
        static constexpr int deepest = 16;  // the limit for macros that expand to one another
        const MacroInfo* macro = preprocessor_.getMacroInfo(preprocessor_.getIdentifierInfo(name));
        if (!macro || macro->isFunctionLike() || macro->isBuiltinMacro() || depth == deepest) {
            words.push_back(name.str());
            return;
        }
        for (const Token& token : macro->tokens()) {
            const std::string spelled = preprocessor_.getSpelling(token);
            if (token.getIdentifierInfo())
                expand(spelled, words, depth + 1);
            else
                words.push_back(spelled);
        }
    }

    Pragmas& pragmas_;
    Preprocessor& preprocessor_;
    std::function<std::size_t()> nextToken_;  ///< Returns the number of the token that comes next.
    Simulation simulation_;                   ///< What holds behind the pragmas so far.
};

Pragmas::Pragmas(Preprocessor& preprocessor, std::function<std::size_t()> nextToken)
    : sources_(preprocessor.getSourceManager()) {
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(*this, preprocessor, std::move(nextToken)));
}

Pragmas::~Pragmas() = default;

bool Pragmas::isWithinDirective(SourceLocation token) const {
    if (!token.isFileID() || directives_.empty()) return false;
    const auto [file, offset] = sources_.getDecomposedLoc(token);
    const auto found = directives_.find(file);
    if (found == directives_.end()) return false;
    const auto& all = found->second;
    const auto after = llvm::partition_point(all, [&](const auto& one) { return one.first <= offset; });
    return after != all.begin() && offset < std::prev(after)->second;
}

llvm::ArrayRef<Pragma> Pragmas::before(std::size_t token) const {
    const auto first = llvm::partition_point(pragmas_, [&](const Pragma& one) { return one.next < token; });
    const auto last = llvm::partition_point(pragmas_, [&](const Pragma& one) { return one.next <= token; });
    return llvm::ArrayRef(pragmas_).slice(static_cast<std::size_t>(first - pragmas_.begin()),
                                          static_cast<std::size_t>(last - first));
}

const PragmaState& Pragmas::stateAt(std::size_t token) const {
    const auto behind = llvm::partition_point(pragmas_, [&](const Pragma& one) { return one.next <= token; });
    return states_[static_cast<std::size_t>(behind - pragmas_.begin())];
}

}  // namespace foldwise
