// tests/unit/generator/samples.cpp: builds these values by hand, without the frontend.
#include "samples.hpp"

#include <utility>

namespace foldwise {

ElementType floatType() { return {"float", "float", TypeKind::Floating, 4, 4}; }
ElementType doubleType() { return {"double", "double", TypeKind::Floating, 8, 8}; }
ElementType int8Type() { return {"std::int8_t", "int8", TypeKind::Integer, 1, 1}; }
ElementType pointType() { return {"stats::Point", "Point", TypeKind::Structure, 8, 1, {}, {"x", "y"}}; }
ElementType boolType() { return {"bool", "bool", TypeKind::Boolean, 1, 1}; }

VectorizeSignature vectorizeSignature(const std::vector<ElementType>& inputs, const ElementType& output) {
    VectorizeSignature signature;
    signature.text = "a signature";
    for (const ElementType& type : inputs)
        signature.inputs.push_back({"x" + std::to_string(signature.inputs.size()), type});
    signature.outputs.push_back({"out", output});
    return signature;
}

KernelSpec vectorizeKernel(std::vector<VectorizeSignature> signatures) {
    KernelSpec kernel;
    kernel.namespaces = {"stats"};
    kernel.name = "rel_diff";
    kernel.pattern =
        VectorizeSpec{.body = {{"stats.kernels.cpp", 7}, "", "(auto x, auto y)", "", "{ return x - y; }", {}, {}},
                      .signatures = std::move(signatures)};
    return kernel;
}

ReduceSignature reduceSignature(const ElementType& element, const ElementType& accumulator, const ElementType& result) {
    ReduceSignature signature;
    signature.text = "a signature";
    signature.inputs = {{"x0", element}};
    signature.output = {"out", result};
    signature.fold.accumulator = accumulator;
    return signature;
}

KernelSpec reduceKernel(std::vector<ReduceSignature> signatures) {
    KernelSpec kernel;
    kernel.namespaces = {"stats"};
    kernel.name = "sum";
    ReduceSpec pattern;
    pattern.parts.combine = {{"stats.kernels.cpp", 9}, "", "(auto a, auto b)", "", "{ return a + b; }", {}, {}};
    pattern.signatures = std::move(signatures);
    kernel.pattern = std::move(pattern);
    return kernel;
}

ForallParameter writtenView(const std::string& name, const ElementType& element, std::uint32_t rank) {
    ForallParameter view{
        .name = name, .type = element, .rank = rank, .isConst = false, .access = Access::Write, .follows = {}};
    for (std::uint32_t axis = rank; axis-- > 0;) view.follows.push_back(axis);
    return view;
}

KernelSpec forallKernel(std::uint32_t indexRank, std::vector<ForallParameter> parameters) {
    ForallSignature signature;
    signature.text = "a signature";
    signature.indexRank = indexRank;
    signature.parameters = std::move(parameters);
    KernelSpec kernel;
    kernel.namespaces = {"stats"};
    kernel.name = "turn";
    kernel.pattern = ForallSpec{.body = {{"stats.kernels.cpp", 12}, "", "(auto... all)", "", "{}", {}, {}},
                                .loopsBody = std::nullopt,
                                .signatures = {signature}};
    return kernel;
}

UnitSpec fullUnit() {
    KernelSpec first = vectorizeKernel(
        {vectorizeSignature({floatType(), doubleType()}, boolType()), vectorizeSignature({}, int8Type())});
    VectorizeSpec& pattern = first.as<VectorizeSpec>();
    first.comment = "Says how far apart\n\nthey are.";
    first.place = {"stats.kernels.cpp", 6};
    pattern.body = {{"stats.kernels.cpp", 7},
                    "<class T>",
                    "(T x, T y)",
                    "bool",
                    "{ struct S { int f() { return 1; } }; return x < y; }",
                    {{13}},
                    {{"GCC diagnostic push"}, {"GCC diagnostic pop"}}};
    pattern.signatures[0].converts = true;
    pattern.signatures[1].drawsByNumber = true;
    pattern.signatures[0].operations.add(Operation::Float32Add, 2);
    Repetition loop{.kind = RepetitionKind::Loop, .place = first.place, .times = 3, .each = {}};
    loop.each.add(Operation::Integer, 5);
    pattern.signatures[0].operations.add(loop);
    pattern.signatures[1].indexRank = 2;
    first.carried = {{CarriedKind::Constant, "stats::half_pi", {"stats.kernels.cpp", 3}}};
    first.library = {{"std::clamp", LibrarySource::Standard}};
    KernelSpec second = vectorizeKernel({vectorizeSignature({pointType()}, pointType())});
    second.namespaces = {};
    second.name = "plain";
    ReduceSignature signature = reduceSignature(int8Type(), doubleType(), floatType());
    signature.fold.operation = CombineOperator::Sum;
    signature.fold.commutes = signature.fold.hasIdentity = true;
    signature.fold.mapConverts = signature.fold.finishConverts = true;
    KernelSpec sum = reduceKernel({signature});
    sum.comment = "Adds them up.";
    FoldParts& parts = sum.as<ReduceSpec>().parts;
    parts.map = parts.finish = parts.combine;
    parts.identity = IdentityKind::Value;
    parts.identityValue = Body{{"stats.kernels.cpp", 10}, "", "()", "", "{ return 0; }", {}, {}};
    KernelSpec running = sum;
    running.name = "running";
    running.pattern = ScanSpec{parts, {ScanSignature{signature}}};
    running.as<ScanSpec>().signatures[0].indexRank = 1;
    KernelSpec spread = sum;
    spread.name = "spread";
    ScatterSignature scattered{static_cast<const FoldSignature&>(sum.as<ReduceSpec>().signatures.front())};
    scattered.inputs.push_back({"table", floatType(), 2});
    scattered.placeAxes = 2;
    scattered.placeCount = 3;
    spread.pattern = ScatterSpec{parts, {scattered}};
    const ForallParameter read{
        .name = "x", .type = floatType(), .rank = 2, .isConst = true, .access = Access::Read, .follows = {}};
    const ForallParameter value{
        .name = "n", .type = int8Type(), .rank = 0, .isConst = false, .access = Access::Read, .follows = {}};
    ForallParameter sums = writtenView("sums", floatType(), 2);
    sums.access = Access::ReadWrite;
    sums.follows = {};
    sums.moves = {0, 2};
    sums.isSummed = true;
    sums.hasOwnSums = true;
    KernelSpec turn = forallKernel(2, {read, writtenView("out", floatType(), 2), value, sums});
    turn.comment = "Lays it on its side.";
    turn.as<ForallSpec>().signatures[0].innerBegins = {1, 0};
    turn.as<ForallSpec>().signatures[0].innerEnds = {{.axis = 1, .parameter = 0, .viewAxis = 1, .less = 2}};
    KernelSpec tiles = turn;
    tiles.name = "tiles";
    BlocksSignature block;
    block.text = "void(block<2> b, view<const float, 2> x, std::int8_t n)";
    block.indexRank = 2;
    block.parameters = {{"x", floatType(), 2, true, true, false}, {"n", int8Type(), 0, false, false, false}};
    block.extents = {16, 64};
    block.threads = 256;
    block.shared = {{"tile", floatType(), {16, 65}, "16 * 65", {"stats.kernels.cpp", 12}}};
    block.exchanged = 4;
    block.phases = 3;
    tiles.pattern = BlocksSpec{turn.as<ForallSpec>().body, {block}};
    GuvectorizeSignature rows;
    rows.text = "a signature";
    rows.dimensions = {{"m", 0}, {"", 3}};
    rows.operands = {{"x", floatType(), {0, 1}, false}, {"k", int8Type(), {}, false}, {"out", doubleType(), {0}, true}};
    KernelSpec each = turn;
    each.name = "each";
    each.pattern = GuvectorizeSpec{.body = turn.as<ForallSpec>().body, .signatures = {rows}};
    StencilSignature window;
    window.text = "float(around<const float, 2> a)";
    window.inputs = {{"a", floatType(), 2}, {"table", floatType(), 1}, {"k", int8Type(), 0}};
    window.outputs = {{"out", floatType(), 0}};
    window.around = {{0, "static_cast<float>(9)"}};
    window.rank = 2;
    window.edge = "constant";
    window.reach = {{1, 1}, {0, 2}};
    window.reads = 4;
    window.looks = {{0, {{0, 2}, {1, 1}}}};
    KernelSpec blur = turn;
    blur.name = "blur";
    blur.pattern = StencilSpec{.body = turn.as<ForallSpec>().body, .signatures = {window}};
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
            .kernels = {first, sum, turn, running, spread, tiles, each, blur, second}};
}

}  // namespace foldwise
