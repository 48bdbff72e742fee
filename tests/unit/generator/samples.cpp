// tests/unit/generator/samples.cpp: built by hand, without the frontend.
#include "samples.hpp"

namespace foldwise {

ElementType floatType() { return {"float", "float", TypeKind::Floating, 4, 4}; }
ElementType doubleType() { return {"double", "double", TypeKind::Floating, 8, 8}; }
ElementType int8Type() { return {"std::int8_t", "int8", TypeKind::Integer, 1, 1}; }
ElementType boolType() { return {"bool", "bool", TypeKind::Boolean, 1, 1}; }

Signature signatureOf(const std::vector<ElementType>& inputs, const ElementType& output) {
    Signature signature;
    signature.text = "a signature";
    for (const ElementType& type : inputs)
        signature.inputs.push_back({"x" + std::to_string(signature.inputs.size()), type});
    signature.outputs.push_back({"out", output});
    return signature;
}

KernelSpec kernelOf(std::vector<Signature> signatures) {
    KernelSpec kernel;
    kernel.namespaces = {"stats"};
    kernel.name = "rel_diff";
    kernel.body = {{"stats.kernels.cpp", 7}, "", "(auto x, auto y)", "", "{ return x - y; }", {}};
    kernel.signatures = std::move(signatures);
    return kernel;
}

Signature foldOf(const ElementType& element, const ElementType& accumulator, const ElementType& result) {
    Signature signature = signatureOf({element}, result);
    signature.fold.emplace().accumulator = accumulator;
    return signature;
}

KernelSpec reductionOf(std::vector<Signature> signatures) {
    KernelSpec kernel = kernelOf(std::move(signatures));
    kernel.pattern = Pattern::Reduce;
    kernel.name = "sum";
    kernel.body = {{"stats.kernels.cpp", 9}, "", "(auto a, auto b)", "", "{ return a + b; }", {}};
    kernel.reduction.emplace();
    return kernel;
}

UnitSpec fullUnit() {
    KernelSpec first = kernelOf({signatureOf({floatType(), doubleType()}, boolType()), signatureOf({}, int8Type())});
    first.comment = "Says how far apart\n\nthey are.";
    first.place = {"stats.kernels.cpp", 6};
    first.body = {{"stats.kernels.cpp", 7},
                  "<class T>",
                  "(T x, T y)",
                  "bool",
                  "{ struct S { int f() { return 1; } }; return x < y; }",
                  {{13}}};
    first.signatures[0].converts = true;
    first.signatures[0].operations.add(Operation::Float32Add, 2);
    Repetition loop{.kind = RepetitionKind::Loop, .place = first.place, .times = 3, .each = {}};
    loop.each.add(Operation::Integer, 5);
    first.signatures[0].operations.add(loop);
    first.signatures[1].indexRank = 2;
    first.carried = {{CarriedKind::Constant, "stats::half_pi", {"stats.kernels.cpp", 3}}};
    first.library = {{"std::clamp", LibrarySource::Standard}};
    KernelSpec second = kernelOf({signatureOf({floatType()}, floatType())});
    second.namespaces = {};
    second.name = "plain";
    Signature fold = foldOf(int8Type(), doubleType(), floatType());
    fold.fold->operation = FoldOperator::Sum;
    fold.fold->commutes = fold.fold->hasIdentity = fold.fold->mapConverts = fold.fold->finishConverts = true;
    KernelSpec sum = reductionOf({fold});
    sum.comment = "Adds them up.";
    sum.reduction = Reduction{.map = sum.body,
                              .finish = sum.body,
                              .identity = IdentityKind::Value,
                              .identityValue = Body{{"stats.kernels.cpp", 10}, "", "()", "", "{ return 0; }", {}}};
    const Place place{"dir/twice.hpp", 3};
    return {.source = "dir/stats.kernels.cpp",
            .includes = {"<cmath>"},
            .declarations =
                {{{"stats", "inline v1"}, "twice", place, "float twice(float x) { return 2 * x; }", {{0, true}}}},
            .headerIncludes = {"<complex>"},
            .headerDeclarations = {{{"stats"}, "Point", place, "struct Point { float x, y; };", {}}},
            .kernels = {first, sum, second}};
}

}  // namespace foldwise
