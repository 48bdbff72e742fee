// tests/unit/generator/frontend/CompilerOptions_test.cpp: which of a compiler's options are passed to Clang and nvcc.
#include "frontend/CompilerOptions.hpp"

#include "TemporaryFolder.hpp"

#include <gtest/gtest.h>

using namespace foldwise;
using Strings = std::vector<std::string>;

static Strings kept(const Strings& given) {
    llvm::Expected<Strings> options = meaningfulOptions(given);
    return options ? *options : Strings{"error: " + llvm::toString(options.takeError())};
}

static std::string forNvcc(const Strings& given) {
    llvm::Expected<std::string> text = nvccOptions(given);
    return text ? *text : "error: " + llvm::toString(text.takeError());
}

TEST(CompilerOptions, AFileHasOneOnEachLineOrSeveralAsInAShell) {
    TemporaryFolder folder;
    const std::string file = folder.write(
        "a.options",
        "-DTEXT=\"a b\"\n\nSHELL:-D 'X=1 + 2'  -DY=\\\"c\\\" \"-Ia folder\"\r\nSHELL:\nSHELL: -include\na b.hpp");
    llvm::Expected<Strings> options = readCompilerOptions(file);
    ASSERT_TRUE(static_cast<bool>(options));
    EXPECT_EQ(*options, (Strings{"-DTEXT=\"a b\"", "-D", "X=1 + 2", "-DY=\"c\"", "-Ia folder", "-include", "a b.hpp"}));
}

TEST(CompilerOptions, MacrosComeInTheOrderThatCMakeHasThemIn) {
    TemporaryFolder folder;
    const std::string file =
        folder.write("a.options", "DEFINE:B\nDEFINE:A=2\nDEFINE:-DA=10\nDEFINE:A=2\nDEFINE:\n-UA\nDEFINE:C\nDEFINE:A");
    llvm::Expected<Strings> options = readCompilerOptions(file);
    ASSERT_TRUE(static_cast<bool>(options));
    EXPECT_EQ(*options, (Strings{"-DA=10", "-DA=2", "-DB", "-UA", "-DA", "-DC"}));
}

TEST(CompilerOptions, AFileMustBeThere) {
    TemporaryFolder folder;
    llvm::Expected<Strings> options = readCompilerOptions(folder.path("missing.options"));
    ASSERT_FALSE(static_cast<bool>(options));
    EXPECT_EQ(llvm::toString(options.takeError()).rfind("cannot read '", 0), 0u);
}

TEST(CompilerOptions, WhatDecidesTheMeaningIsKept) {
    const Strings options = {"-std=c++23",
                             "-fshort-enums",
                             "-funsigned-char",
                             "-fpack-struct=2",
                             "-fchar8_t",
                             "-fno-rtti",
                             "-fno-exceptions",
                             "-ffast-math",
                             "-fwrapv",
                             "-O2",
                             "-march=haswell",
                             "-mavx2",
                             "-m32",
                             "-pthread",
                             "-nostdinc++",
                             "-stdlib=libc++",
                             "--sysroot=/s",
                             "--target=aarch64-linux-gnu",
                             "-Wp,-DZ"};
    EXPECT_EQ(kept(options), options);
    EXPECT_EQ(kept({"-DX=7", "-D", "Y", "-UX", "-Ia b", "-isystem", "c", "-iquoted", "-idirafter", "e", "-include",
                    "f.hpp", "-imacros", "g.hpp"}),
              (Strings{"-D", "X=7", "-D", "Y", "-U", "X", "-I", "a b", "-isystem", "c", "-iquote", "d", "-idirafter",
                       "e", "-include", "f.hpp", "-imacros", "g.hpp"}));
}

TEST(CompilerOptions, WhatIsSaidWrittenOrLinkedIsNotNorWhatClangDoesNotKnow) {
    EXPECT_EQ(kept({"-Wall",
                    "-Werror",
                    "-Wno-logical-op",
                    "-pedantic-errors",
                    "-w",
                    "-g3",
                    "-ggdb",
                    "-c",
                    "-o",
                    "out.o",
                    "a.cpp",
                    "-MD",
                    "-MF",
                    "a.d",
                    "-save-temps",
                    "-ftime-trace",
                    "-fsanitize=address,undefined",
                    "-fprofile-use=none",
                    "-fplugin=none.so",
                    "-Xclang",
                    "-load",
                    "-fopenmp",
                    "-flto",
                    "-Wl,-z,now",
                    "-lm",
                    "-fno-ipa-cp",
                    "--param=max-inline-insns-single=100",
                    "-fpermissive",
                    "-mtune=native",
                    "-fdiagnostics-color=always",
                    "-DX"}),
              (Strings{"-D", "X"}));
}

TEST(CompilerOptions, WhatClangCannotFollowIsAnError) {
    for (const std::string option :
         {"-fsingle-precision-constant", "-funsigned-bitfields", "-fwide-exec-charset=UTF-16"})
        EXPECT_EQ(kept({"-DX", option}), Strings{"error: '" + option +
                                                 "' changes what a spec means, and the generator cannot follow: Clang "
                                                 "lacks it"});
    EXPECT_EQ(kept({"-DX", "-include"}), Strings{"error: the compiler option '-include' lacks its value"});
}

TEST(CompilerOptions, NvccGetsMacrosAndFoldersQuotedForItsOptionsFile) {
    EXPECT_EQ(forNvcc({"-DX=a,b"}), "\"-DX=a\\\\,b\"\n");
    EXPECT_EQ(forNvcc({"-DTEXT=\"a b\"", "-D", "X", "-UX", "-I", "a b", "-isystem", "s", "-include", "f.hpp", "-iquote",
                       "q", "-std=c++23", "-mavx2"}),
              "\"-DTEXT=\\\\\\\"a b\\\\\\\"\"\n\"-DX\"\n\"-UX\"\n\"-Ia b\"\n-isystem\n\"s\"\n-include\n\"f.hpp\"\n"
              "-Xcompiler=-iquote\n-Xcompiler=\"q\"\n");
}

TEST(CompilerOptions, NvccHasNoOtherTypes) {
    for (const std::string option :
         {"-funsigned-char", "-fno-signed-char", "-fshort-enums", "-fshort-wchar", "-fpack-struct=4", "-m32"})
        EXPECT_EQ(forNvcc({"-DX", option}), "error: '" + option +
                                                "' changes types in a way that nvcc cannot follow; use another "
                                                "backend, or compile without it");
    EXPECT_EQ(forNvcc({"-funsigned-char", "-fsigned-char", "-fshort-enums", "-fno-short-enums"}), "");
}
