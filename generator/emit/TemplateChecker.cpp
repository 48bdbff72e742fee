// generator/emit/TemplateChecker.cpp: walks a template's tags together with the keys that it may use.
#include "TemplateChecker.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <vector>

namespace foldwise {

namespace json = llvm::json;

namespace {

struct Tag {
    char kind;  // '#', '^', '/', '>', '!', or ' ' for a variable
    llvm::StringRef key;
    std::size_t line;
    std::size_t partner = 0;  // of an opening tag: the index of the tag that closes it
};

class Checker {
  public:
    explicit Checker(const std::map<std::string, std::string>& texts) : texts_(texts) {}

    llvm::Error check(llvm::StringRef name, const json::Value& context) {
        const auto found = texts_.find(name.str());
        if (found == texts_.end()) return error("there is no template '" + name + "'");
        if (llvm::is_contained(open_, name)) return error("template '" + name + "' includes itself");
        open_.push_back(name);
        llvm::Expected<std::vector<Tag>> tags = parse(found->second);
        if (!tags) return tags.takeError();
        if (llvm::Error wrong = checkRange(*tags, 0, tags->size(), context)) return wrong;
        open_.pop_back();
        return llvm::Error::success();
    }

  private:
    llvm::Error error(const llvm::Twine& what) const {
        return llvm::createStringError(what + (open_.empty() ? "" : " (in template '" + open_.back() + "')"));
    }
    llvm::Error error(const Tag& tag, const llvm::Twine& what) const {
        return llvm::createStringError(open_.back() + ".mustache:" + llvm::Twine(tag.line) + ": " + what);
    }

    llvm::Expected<std::vector<Tag>> parse(llvm::StringRef text) const {
        std::size_t number = 0;
        for (llvm::StringRef line : llvm::split(text, '\n'))
            if (++number; line.ends_with(" ") || line.ends_with("\t"))
                return error(Tag{' ', "", number}, "a blank at the end of the line");
        // LLVM's Mustache takes three braces for a tag, whatever the delimiters are.
        if (const std::size_t at = text.find("{{{"); at != llvm::StringRef::npos)
            return error(Tag{' ', "", text.take_front(at).count('\n') + 1},
                         "'{{{' would be taken for a tag: put a blank in");
        std::vector<Tag> tags;
        std::vector<std::size_t> sections;
        for (std::size_t at = 0; (at = text.find("<%", at)) != llvm::StringRef::npos;) {
            const std::size_t end = text.find("%>", at + 2), line = text.take_front(at).count('\n') + 1;
            if (end == llvm::StringRef::npos) return error(Tag{' ', "", line}, "'<%' without '%>'");
            llvm::StringRef key = text.slice(at + 2, end).trim();
            const char kind = key.empty() || !llvm::StringRef("#^/>!").contains(key.front()) ? ' ' : key.front();
            tags.push_back({kind, kind == ' ' ? key : key.drop_front().trim(), line});
            if (kind == '#' || kind == '^') sections.push_back(tags.size() - 1);
            if (kind == '/') {
                if (sections.empty() || tags[sections.back()].key != tags.back().key)
                    return error(tags.back(), "'" + tags.back().key + "' closes no open section");
                tags[sections.back()].partner = tags.size() - 1;
                sections.pop_back();
            }
            at = end + 2;
        }
        if (!sections.empty())
            return error(tags[sections.back()], "section '" + tags[sections.back()].key + "' is not closed");
        return tags;
    }

    llvm::Error checkRange(const std::vector<Tag>& tags, std::size_t begin, std::size_t end,
                           const json::Value& context) {
        for (std::size_t i = begin; i < end; ++i) {
            const Tag& tag = tags[i];
            if (tag.kind == '!' || tag.kind == '/') continue;
            if (tag.kind == '>') {
                if (!texts_.contains(tag.key.str())) return error(tag, "there is no template '" + tag.key + "'");
                if (llvm::Error wrong = check(tag.key, context)) return wrong;
                continue;
            }
            const json::Object* object = context.getAsObject();
            const json::Value* value = object ? object->get(tag.key) : nullptr;
            if (!value) return error(tag, "there is no key '" + tag.key + "' here");
            if (tag.kind == ' ') {
                if (!value->getAsString()) return error(tag, "'" + tag.key + "' is not a string");
                continue;
            }
            if (llvm::Error wrong = checkSection(tags, i, *value, context)) return wrong;
            i = tag.partner;
        }
        return llvm::Error::success();
    }

    llvm::Error checkSection(const std::vector<Tag>& tags, std::size_t opening, const json::Value& value,
                             const json::Value& context) {
        const Tag& tag = tags[opening];
        const json::Array* array = value.getAsArray();
        if (!array && !value.getAsBoolean()) return error(tag, "'" + tag.key + "' is neither a boolean nor an array");
        // What is not rendered is not checked: of two alternatives, each has its own keys.
        const bool filled = array ? !array->empty() : *value.getAsBoolean();
        if (filled != (tag.kind == '#')) return llvm::Error::success();
        if (!array || tag.kind == '^') return checkRange(tags, opening + 1, tag.partner, context);
        for (const json::Value& element : *array)
            if (llvm::Error wrong = checkRange(tags, opening + 1, tag.partner, element)) return wrong;
        return llvm::Error::success();
    }

    const std::map<std::string, std::string>& texts_;
    std::vector<llvm::StringRef> open_;
};

}  // namespace

llvm::Error checkTemplate(const std::map<std::string, std::string>& texts, llvm::StringRef name,
                          const json::Value& keys) {
    return Checker(texts).check(name, keys);
}

}  // namespace foldwise
