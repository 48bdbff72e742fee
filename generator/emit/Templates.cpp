// generator/emit/Templates.cpp: loads templates and renders them through llvm::mustache.
#include "Templates.hpp"

#include "PatternPartials.hpp"
#include "TemplateChecker.hpp"
#include "embeddedTemplates.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Mustache.h>
#include <llvm/Support/Path.h>

namespace foldwise {

static constexpr llvm::StringLiteral extension = ".mustache";

Templates::Templates(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {
    addPatternPartials(texts_);
}

Templates Templates::embedded() {
    std::map<std::string, std::string> texts;
    for (const EmbeddedFile& file : embeddedTemplates())
        texts.emplace(file.name.substr(0, file.name.size() - extension.size()), file.text);
    return Templates(std::move(texts));
}

llvm::Expected<Templates> Templates::fromFolder(llvm::StringRef folder) {
    std::map<std::string, std::string> texts;
    std::error_code wrong;
    for (llvm::sys::fs::directory_iterator at(folder, wrong), end; !wrong && at != end; at.increment(wrong)) {
        llvm::StringRef name = llvm::sys::path::filename(at->path());
        if (!name.consume_back(extension)) continue;
        auto buffer = llvm::MemoryBuffer::getFile(at->path());
        if (!buffer) return llvm::createStringError(at->path() + ": " + buffer.getError().message());
        texts.emplace(name.str(), (*buffer)->getBuffer().str());
    }
    if (wrong) return llvm::createStringError("templates folder '" + folder + "': " + wrong.message());
    if (texts.empty()) return llvm::createStringError("templates folder '" + folder + "' holds no .mustache file");
    return Templates(std::move(texts));
}

llvm::Expected<std::string> Templates::render(llvm::StringRef name, const llvm::json::Value& keys) const {
    if (llvm::Error wrong = checkTemplate(texts_, name, keys)) return wrong;

    // A template's text must outlive the Template, and one context serves one Template.
    static constexpr llvm::StringLiteral delimiters = "{{=<% %>=}}";
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::mustache::MustacheContext context(allocator, saver);
    const std::string text = (delimiters + texts_.at(name.str())).str();
    llvm::mustache::Template rendered(text, context);
    rendered.overrideEscapeCharacters(llvm::DenseMap<char, std::string>());
    for (const auto& [partial, partialText] : texts_)
        if (partial != name) rendered.registerPartial(partial, (delimiters + partialText).str());
    std::string out;
    llvm::raw_string_ostream stream(out);
    rendered.render(keys, stream);
    return out;
}

}  // namespace foldwise
