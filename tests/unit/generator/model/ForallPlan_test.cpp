// tests/unit/generator/model/ForallPlan_test.cpp: plans of forall kernels.
#include "model/Instances.hpp"
#include "model/KernelPlan.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

using namespace foldwise;

static SignaturePlan planOfForall(const std::vector<ForallParameter>& parameters) {
    UnitSpec unit;
    unit.kernels = {forallKernel(2, parameters)};
    return planUnit(unit).front().front();
}

TEST(ForallPlan, ParametersOfTasksKeepTheirNamesWhereTemplatesDoNotWriteThem) {
    const auto names = [](const std::string& name) {
        return planOfForall({writtenView(name, floatType(), 2)}).operands.front();
    };
    EXPECT_EQ(names("out"), (OperandNames{"out", "out", "out"}));
    for (const std::string name :
         {"at", "begin", "call", "device", "end", "given", "layout", "Layout", "own", "run", "stream", "task"})
        EXPECT_EQ(names(name), (OperandNames{name, name + "_", name}));
    EXPECT_EQ(names("executor"), (OperandNames{"executor_", "executor", "executor"}));
    EXPECT_EQ(names("tasks"), (OperandNames{"tasks_", "tasks_", "tasks"}));
    EXPECT_EQ(names("std"), (OperandNames{"std_", "std_", "std"}));
    const SignaturePlan twice = planOfForall({writtenView("at", floatType(), 2), writtenView("at_", floatType(), 2)});
    EXPECT_EQ(twice.operands, (std::vector<OperandNames>{{"at", "at_", "at"}, {"at_", "at_2", "at_"}}));
}

TEST(ForallPlan, TasksAreNamedAfterTheirParametersTypesAndTouchOneElementOfEachView) {
    ForallParameter both = writtenView("bins", int8Type(), 1), asked = both, read = both, value = both;
    both.access = Access::ReadWrite, asked.access = Access::None;
    read.type = doubleType(), read.access = Access::Read;
    value.type = doubleType(), value.rank = 0, value.access = Access::Read;
    const SignaturePlan plan = planOfForall({read, both, asked, writtenView("out", floatType(), 1), value});
    EXPECT_EQ(plan.symbol, "turn_double_int8_float");
    EXPECT_EQ(plan.bytesRead, 9u);
    EXPECT_EQ(plan.bytesWritten, 5u);
    EXPECT_EQ(plan.cuda.threads, 256u);
    EXPECT_EQ(plan.cuda.width, 1u);
    EXPECT_EQ(planOfForall({}).symbol, "turn_kernel");
}

TEST(ForallPlan, OnlyViewsThatTasksAddToHaveAnInstanceForSums) {
    const auto instances = [](bool isSummed) {
        ForallSignature signature;
        signature.parameters = {writtenView("bins", int8Type(), 1)};
        signature.parameters.front().isSummed = isSummed;
        std::vector<std::string> names;
        for (const Instance& one : instancesOf(signature))
            if (one.exists) names.push_back(one.name.str());
        return names;
    };
    EXPECT_EQ(instances(false), (std::vector<std::string>{"plain", "strided"}));
    EXPECT_EQ(instances(true), (std::vector<std::string>{"plain", "strided", "summed"}));
}
