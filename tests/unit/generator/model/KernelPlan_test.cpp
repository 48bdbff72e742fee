// tests/unit/generator/model/KernelPlan_test.cpp: what is decided for a kernel.
#include "model/KernelPlan.hpp"

#include "emit/Templates.hpp"
#include "samples.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

using namespace foldwise;

static std::vector<SignaturePlan> plansOf(std::vector<Signature> signatures) {
    UnitSpec unit;
    unit.kernels = {kernelOf(std::move(signatures))};
    return planUnit(unit).front();
}

static SignaturePlan planOf(const Signature& signature) { return plansOf({signature}).front(); }

TEST(KernelPlan, SymbolNamesKernelAndEachInputTypeOnce) {
    EXPECT_EQ(planOf(signatureOf({floatType(), floatType()}, boolType())).symbol, "rel_diff_float");
    EXPECT_EQ(planOf(signatureOf({floatType(), int8Type()}, boolType())).symbol, "rel_diff_float_int8");
}

TEST(KernelPlan, SymbolOfNoInputsIsStillASymbol) {
    EXPECT_EQ(planOf(signatureOf({}, floatType())).symbol, "rel_diff_kernel");
}

TEST(KernelPlan, SymbolsOfOneKernelAreUnique) {
    const auto plans = plansOf({signatureOf({floatType(), doubleType()}, floatType()),
                                signatureOf({floatType(), doubleType(), floatType()}, floatType()),
                                signatureOf({floatType(), doubleType(), doubleType()}, floatType())});
    ASSERT_EQ(plans.size(), 3u);
    EXPECT_EQ(plans[0].symbol, "rel_diff_float_double");
    EXPECT_EQ(plans[1].symbol, "rel_diff_float_double_2");
    EXPECT_EQ(plans[2].symbol, "rel_diff_float_double_3");
}

TEST(KernelPlan, SymbolsOfOneNamespaceAreUniqueAndNoKernelsName) {
    UnitSpec unit;
    for (const char* name : {"f", "f_float", "f_double"}) {
        unit.kernels.push_back(kernelOf({signatureOf({floatType(), doubleType()}, floatType())}));
        unit.kernels.back().name = name;
    }
    unit.kernels[0].signatures.push_back(signatureOf({floatType()}, floatType()));
    unit.kernels[1].signatures = {signatureOf({doubleType()}, floatType())};
    const auto plans = planUnit(unit);
    EXPECT_EQ(plans[0][0].symbol, "f_float_double");
    EXPECT_EQ(plans[0][1].symbol, "f_float_2");
    EXPECT_EQ(plans[1][0].symbol, "f_float_double_2");
    unit.kernels[1].namespaces = {"elsewhere"};
    EXPECT_EQ(planUnit(unit)[1][0].symbol, "f_float_double");
}

TEST(KernelPlan, NamesMadeOfSymbolsAreNobodyElses) {
    UnitSpec unit;
    for (const char* name : {"f", "launch_f", "fold_f"}) {
        unit.kernels.push_back(kernelOf({signatureOf({floatType()}, floatType())}));
        unit.kernels.back().name = name;
    }
    const auto symbols = [&] {
        std::vector<std::string> all;
        for (const auto& plans : planUnit(unit)) all.push_back(plans.front().symbol);
        return all;
    };
    EXPECT_EQ(symbols(), (std::vector<std::string>{"f_float", "launch_f_float_2", "fold_f_float_2"}));

    const auto declare = [&](std::vector<std::string> namespaces, const char* name) {
        unit.declarations.emplace_back();
        unit.declarations.back().namespaces = std::move(namespaces);
        unit.declarations.back().name = name;
    };
    std::vector<std::string> within = unit.kernels[0].namespaces;
    declare({"elsewhere"}, "f_float");
    EXPECT_EQ(symbols()[0], "f_float");
    within.push_back("inline v1");
    declare(within, "f_float_steps");
    EXPECT_EQ(symbols()[0], "f_float_2");
    within.back().clear();  // unnamed
    declare(within, "join_f_float_2");
    EXPECT_EQ(symbols()[0], "f_float_3");

    unit.declarations.clear();
    unit.kernels[1] = reductionOf({foldOf(floatType(), floatType(), floatType())});
    unit.kernels[1].name = "f";  // whose parts are f_map and so on
    unit.kernels[1].namespaces = unit.kernels[0].namespaces;
    unit.kernels[0].signatures.front().inputs.front().type.identifier = "map";
    EXPECT_EQ(symbols()[0], "f_map_2");
}

TEST(KernelPlan, NamesMadeOfSymbolsAreThoseThatTemplatesWrite) {
    std::set<std::string> written;
    const std::regex pattern("[A-Za-z_]*<%symbol%>(?:[A-Za-z_]|<%parameter%>)*");
    const Templates templates = Templates::embedded();
    for (const auto& [name, text] : templates.texts())
        for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found)
            written.insert(found->str());
    const std::vector<std::string> made = namesMadeOf("<%symbol%>", {{"<%parameter%>", ""}});
    EXPECT_EQ(written, std::set<std::string>(made.begin(), made.end()));
}

TEST(KernelPlan, OperandsKeepTheirNames) {
    const SignaturePlan plan = planOf(signatureOf({floatType(), floatType()}, floatType()));
    EXPECT_EQ(plan.inputs, (std::vector<OperandNames>{{"x0", "x0"}, {"x1", "x1"}}));
    EXPECT_EQ(plan.outputs, (std::vector<OperandNames>{{"out", "out"}}));
}

TEST(KernelPlan, AnInputNamedOutMakesTheOutputGiveWay) {
    Signature signature = signatureOf({floatType(), floatType()}, floatType());
    signature.inputs[0].name = "out";
    signature.inputs[1].name = "out_";
    const SignaturePlan plan = planOf(signature);
    EXPECT_EQ(plan.inputs, (std::vector<OperandNames>{{"out", "out"}, {"out_", "out_"}}));
    EXPECT_EQ(plan.outputs, (std::vector<OperandNames>{{"out_2", "out_2"}}));
}

/// The names of the only input, if this is the user's.
static OperandNames namesOf(const char* name) {
    Signature signature = signatureOf({floatType()}, floatType());
    signature.inputs[0].name = name;
    return planOf(signature).inputs.front();
}

TEST(KernelPlan, NamesThatTheKernelsTemplatesWriteGiveWayInTheKernel) {
    for (const std::string name :
         {"Instance", "at",   "blockIdx", "call",     "code",  "count",   "device", "formula", "i",         "instance",
          "k",        "lane", "operands", "position", "range", "results", "space",  "stream",  "threadIdx", "x_pack"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name, name + "_"}));
}

TEST(KernelPlan, NamesThatAReductionsTemplatesWriteGiveWayInTheKernel) {
    for (const std::string name :
         {"Count", "Place", "enter", "mapped", "place", "places", "strides", "tile", "tiles"}) {
        UnitSpec unit;
        unit.kernels = {reductionOf({foldOf(floatType(), floatType(), floatType())})};
        unit.kernels[0].signatures[0].inputs[0].name = name;
        EXPECT_EQ(planUnit(unit)[0][0].inputs[0].local, name + "_");
    }
}

TEST(KernelPlan, NamesThatTheLaunchersTemplatesWriteGiveWayThere) {
    for (const std::string name : {"executor", "place", "shape"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name + "_", name}));
    for (const std::string name : {"foldwise", "std"})
        EXPECT_EQ(namesOf(name.c_str()), (OperandNames{name + "_", name + "_"}));
}

TEST(KernelPlan, TheWidestTypeFillsSixteenBytes) {
    EXPECT_EQ(planOf(signatureOf({int8Type()}, int8Type())).cuda.width, 16u);
    EXPECT_EQ(planOf(signatureOf({floatType()}, floatType())).cuda.width, 4u);
    EXPECT_EQ(planOf(signatureOf({int8Type(), doubleType()}, floatType())).cuda.width, 2u);
    EXPECT_EQ(planOf(signatureOf({int8Type()}, doubleType())).cuda.width, 2u);
    EXPECT_EQ(planOf(signatureOf({}, boolType())).cuda.width, 16u);
}

TEST(KernelPlan, StructsOfOddSizesMoveInWordsOfFourBytes) {
    const ElementType point{"Point", "Point", TypeKind::Structure, 12, 4};
    EXPECT_EQ(planOf(signatureOf({point}, floatType())).cuda.width, 1u);
}

TEST(KernelPlan, CountsBytesPerElement) {
    const SignaturePlan plan = planOf(signatureOf({int8Type(), doubleType(), floatType()}, floatType()));
    EXPECT_EQ(plan.bytesRead, 13u);
    EXPECT_EQ(plan.bytesWritten, 4u);
    EXPECT_EQ(planOf(signatureOf({}, doubleType())).bytesRead, 0u);
    Signature sum = signatureOf({floatType()}, floatType());
    sum.fold.emplace().accumulator = floatType();
    EXPECT_EQ(planOf(sum).bytesRead, 4u);
    EXPECT_EQ(planOf(sum).bytesWritten, 0u);
}

TEST(KernelPlan, PartsOfAFoldGetNamesThatTheUnitDoesNotHave) {
    UnitSpec unit;
    unit.kernels = {reductionOf({foldOf(floatType(), floatType(), floatType())})};
    EXPECT_EQ(nameFold(unit.kernels[0], unit), (FoldNames{"sum_map", "sum_combine", "sum_finish", "sum_identity"}));

    unit.kernels.push_back(kernelOf({signatureOf({floatType()}, floatType())}));
    unit.kernels.back().name = "sum_map";
    for (const char* name : {"sum_combine", "sum_combine_", "sum_finished"}) {
        unit.declarations.emplace_back();
        unit.declarations.back().name = name;
    }
    EXPECT_EQ(nameFold(unit.kernels[0], unit), (FoldNames{"sum_map_", "sum_combine_2", "sum_finish", "sum_identity"}));
}

static SignaturePlan planOfTasks(const std::vector<TaskParameter>& parameters) {
    UnitSpec unit;
    unit.kernels = {tasksOf(2, parameters)};
    return planUnit(unit).front().front();
}

TEST(KernelPlan, ParametersOfTasksKeepTheirNamesWhereTemplatesDoNotWriteThem) {
    const auto names = [](const std::string& name) {
        return planOfTasks({writtenView(name, floatType(), 2)}).parameters.front();
    };
    EXPECT_EQ(names("out"), (OperandNames{"out", "out"}));
    for (const std::string name : {"at", "begin", "call", "device", "end", "layout", "Layout", "run", "stream", "task"})
        EXPECT_EQ(names(name), (OperandNames{name, name + "_"}));
    EXPECT_EQ(names("executor"), (OperandNames{"executor_", "executor"}));
    EXPECT_EQ(names("tasks"), (OperandNames{"tasks_", "tasks_"}));
    EXPECT_EQ(names("std"), (OperandNames{"std_", "std_"}));
    const SignaturePlan twice = planOfTasks({writtenView("at", floatType(), 2), writtenView("at_", floatType(), 2)});
    EXPECT_EQ(twice.parameters, (std::vector<OperandNames>{{"at", "at_"}, {"at_", "at_2"}}));
}

TEST(KernelPlan, TasksAreNamedAfterTheirParametersTypesAndTouchOneElementOfEachView) {
    TaskParameter both = writtenView("bins", int8Type(), 1), asked = both, read = both, value = both;
    both.access = Access::ReadWrite, asked.access = Access::None;
    read.type = doubleType(), read.access = Access::Read;
    value.type = doubleType(), value.rank = 0, value.access = Access::Read;
    const SignaturePlan plan = planOfTasks({read, both, asked, writtenView("out", floatType(), 1), value});
    EXPECT_EQ(plan.symbol, "turn_double_int8_float");
    EXPECT_EQ(plan.bytesRead, 9u);
    EXPECT_EQ(plan.bytesWritten, 5u);
    EXPECT_EQ(plan.cuda.threads, 256u);
    EXPECT_EQ(plan.cuda.width, 1u);
    EXPECT_EQ(planOfTasks({}).symbol, "turn_kernel");
}
