// tests/unit/generator/samples.cpp: built by hand, without the frontend.
#include "samples.hpp"

#include <utility>

namespace foldwise {

ElementType floatType() { return {"float", "float", TypeKind::Floating, 4, 4}; }
ElementType doubleType() { return {"double", "double", TypeKind::Floating, 8, 8}; }
ElementType int8Type() { return {"std::int8_t", "int8", TypeKind::Integer, 1, 1}; }
ElementType pointType() { return {"stats::Point", "Point", TypeKind::Structure, 8, 1}; }
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
    kernel.body = {{"stats.kernels.cpp", 7}, "", "(auto x, auto y)", "", "{ return x - y; }", {}, {}};
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
    kernel.body = {{"stats.kernels.cpp", 9}, "", "(auto a, auto b)", "", "{ return a + b; }", {}, {}};
    kernel.reduction.emplace();
    return kernel;
}

TaskParameter writtenView(const std::string& name, const ElementType& element, std::uint32_t rank) {
    TaskParameter view{
        .name = name, .type = element, .rank = rank, .isConst = false, .access = Access::Write, .follows = {}};
    for (std::uint32_t axis = rank; axis-- > 0;) view.follows.push_back(axis);
    return view;
}

KernelSpec tasksOf(std::uint32_t indexRank, std::vector<TaskParameter> parameters) {
    Signature signature;
    signature.text = "a signature";
    signature.indexRank = indexRank;
    signature.parameters = std::move(parameters);
    KernelSpec kernel = kernelOf({signature});
    kernel.pattern = Pattern::Forall;
    kernel.name = "turn";
    kernel.body = {{"stats.kernels.cpp", 12}, "", "(auto... all)", "", "{}", {}, {}};
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
                  {{13}},
                  {{"GCC diagnostic push"}, {"GCC diagnostic pop"}}};
    first.signatures[0].converts = true;
    first.signatures[0].operations.add(Operation::Float32Add, 2);
    Repetition loop{.kind = RepetitionKind::Loop, .place = first.place, .times = 3, .each = {}};
    loop.each.add(Operation::Integer, 5);
    first.signatures[0].operations.add(loop);
    first.signatures[1].indexRank = 2;
    first.carried = {{CarriedKind::Constant, "stats::half_pi", {"stats.kernels.cpp", 3}}};
    first.library = {{"std::clamp", LibrarySource::Standard}};
    KernelSpec second = kernelOf({signatureOf({pointType()}, pointType())});
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
                              .identityValue = Body{{"stats.kernels.cpp", 10}, "", "()", "", "{ return 0; }", {}, {}}};
    const TaskParameter read{
        .name = "x", .type = floatType(), .rank = 2, .isConst = true, .access = Access::Read, .follows = {}};
    const TaskParameter value{
        .name = "n", .type = int8Type(), .rank = 0, .isConst = false, .access = Access::Read, .follows = {}};
    KernelSpec turn = tasksOf(2, {read, writtenView("out", floatType(), 2), value});
    turn.comment = "Lays it on its side.";
    const Place place{"dir/twice.hpp", 3};
    return {.source = "dir/stats.kernels.cpp",
            .includes = {"<cmath>"},
            .declarations = {{{"stats", "inline v1"},
                              "twice",
                              place,
                              "float twice(float x) { return 2 * x; }",
                              {{0, MarkKind::Callback}},
                              {}}},
            .headerIncludes = {"<complex>"},
            .headerDeclarations =
                {{{"stats"}, "Point", place, "struct Point { float x, y; };", {}, {{"pack(push, 1)"}, {"pack(pop)"}}}},
            .kernels = {first, sum, turn, second}};
}

}  // namespace foldwise
