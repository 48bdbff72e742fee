// tests/unit/runtime/resolve_test.cpp: which backend a call runs on.
#include "resolve.hpp"

#include "expect_error.hpp"
#include "fake_gpu.hpp"

#include <foldwise/array.hpp>
#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <cstdlib>
#include <stdexcept>

using namespace foldwise;
using detail::backends;
using detail::no_gpu;
using detail::resolve;

static const backends everything{"k::f", true, true, true};
static const backends no_cuda{"k::f", true, false, true};
static const backends only_simulator{"k::f", false, false, true};
static const backends only_cuda{"k::f", false, true, false};
static constexpr backend unset = backend::automatic;

TEST(Resolve, ParsesTheEnvironment) {
    EXPECT_EQ(detail::parse_executor(nullptr), unset);
    EXPECT_EQ(detail::parse_executor(""), unset);
    EXPECT_EQ(detail::parse_executor("cpu"), backend::cpu);
    EXPECT_EQ(detail::parse_executor("cuda"), backend::cuda);
    EXPECT_EQ(detail::parse_executor("simulator"), backend::simulator);
    for (const char* wrong : {"gpu", "CPU", "cpu "})
        expect_error<std::invalid_argument>([=] { detail::parse_executor(wrong); }, "FOLDWISE_EXECUTOR",
                                            std::string("\"") + wrong + "\"");
}

TEST(Resolve, AnExecutorThatIsGivenWins) {
    fake_gpu gpu;
    EXPECT_EQ(resolve(everything, no_gpu, simulator(), backend::cpu).backend(), backend::simulator);
    auto* stream = reinterpret_cast<CUstream_st*>(0x3000);
    EXPECT_EQ(resolve(everything, no_gpu, cuda(stream), backend::cpu), cuda(0, stream));
}

TEST(Resolve, ThenTheEnvironment) {
    fake_gpu gpu;
    EXPECT_EQ(resolve(everything, no_gpu, {}, backend::cpu).backend(), backend::cpu);
    EXPECT_EQ(resolve(everything, no_gpu, {}, backend::simulator).backend(), backend::simulator);
}

TEST(Resolve, ThenWhereTheOperandsAre) {
    EXPECT_EQ(resolve(everything, no_gpu, {}, unset).backend(), backend::cpu);  // no GPU
    fake_gpu gpu;
    EXPECT_EQ(resolve(everything, 0, {}, unset).backend(), backend::cuda);
    EXPECT_EQ(resolve(everything, no_gpu, {}, unset).backend(), backend::cuda);
    EXPECT_EQ(resolve(no_cuda, no_gpu, {}, unset).backend(), backend::cpu);
    EXPECT_EQ(resolve(only_simulator, no_gpu, {}, unset).backend(), backend::simulator);
    gpu.absent = "none";
    EXPECT_EQ(resolve(everything, no_gpu, {}, unset).backend(), backend::cpu);
}

TEST(Resolve, SingleValuesAloneAreNotWorthALaunch) {
    fake_gpu gpu;
    const auto chosen = [](backends generated, const executor& requested, backend environment) {
        generated.has_single_values_alone = true;
        return resolve(generated, no_gpu, requested, environment).backend();
    };
    EXPECT_EQ(chosen(everything, {}, unset), backend::cpu);
    EXPECT_EQ(chosen(everything, automatic(nullptr), unset), backend::cpu);
    EXPECT_EQ(chosen(only_cuda, {}, unset), backend::cuda);
    EXPECT_EQ(chosen(everything, cuda(), unset), backend::cuda);
    EXPECT_EQ(chosen(everything, {}, backend::cuda), backend::cuda);
}

TEST(Resolve, ABackendThatWasNotGeneratedIsNamed) {
    fake_gpu gpu;
    expect_error<error>([] { resolve(no_cuda, no_gpu, cuda(), unset); },
                        "k::f was generated for cpu, simulator and not for cuda: add it to BACKENDS");
    expect_error<error>([] { resolve(no_cuda, 0, {}, unset); }, "not for cuda");
    expect_error<error>([] { resolve(only_simulator, no_gpu, {}, backend::cpu); }, "for simulator and not for cpu");
}

TEST(Resolve, CudaWithoutAGpuSaysWhy) {
    expect_error<device_error>([] { resolve(everything, no_gpu, cuda(), unset); }, "k::f: there is no GPU");
    fake_gpu gpu;
    gpu.absent = "fakeNoDriver: too old";
    expect_error<device_error>([] { resolve(everything, no_gpu, cuda(), unset); },
                               "k::f: there is no GPU: fakeNoDriver: too old");
    expect_error<device_error>([] { resolve(everything, no_gpu, {}, backend::cuda); }, "there is no GPU");
    expect_error<device_error>([] { resolve(only_cuda, no_gpu, {}, unset); }, "there is no GPU");
}

static void set_environment(const char* value) {
    if (value)
        setenv("FOLDWISE_EXECUTOR", value, 1);
    else
        unsetenv("FOLDWISE_EXECUTOR");
}

/// Runs `check` in a process of its own, which reads FOLDWISE_EXECUTOR anew.
#define EXPECT_WITH_ENVIRONMENT(value, check)                                                                          \
    GTEST_FLAG_SET(death_test_style, "threadsafe");                                                                    \
    EXPECT_EXIT((set_environment(value), std::_Exit((check) ? 0 : 1)), testing::ExitedWithCode(0), "")

static bool arrays_go_to(memory kind, executor requested = {}) {
    return foldwise::array<float>(shape{4}, requested).place().kind == kind;
}

TEST(ResolveDeathTest, ArraysGoWhereKernelsRun) {
    fake_gpu gpu;
    EXPECT_WITH_ENVIRONMENT(nullptr, arrays_go_to(memory::cuda));
    EXPECT_WITH_ENVIRONMENT("cuda", arrays_go_to(memory::cuda));
    EXPECT_WITH_ENVIRONMENT("cpu", arrays_go_to(memory::host));
    EXPECT_WITH_ENVIRONMENT("simulator", arrays_go_to(memory::host));
    EXPECT_WITH_ENVIRONMENT("cpu", arrays_go_to(memory::cuda, cuda()));
    EXPECT_WITH_ENVIRONMENT("cuda", arrays_go_to(memory::host, cpu()));
    gpu.absent = "none";
    EXPECT_WITH_ENVIRONMENT(nullptr, arrays_go_to(memory::host));
}

template <class Error> static bool array_throws() {
    try {
        foldwise::array<float> x(shape{4});
    } catch (const Error&) {
        return true;
    }
    return false;
}

TEST(ResolveDeathTest, WrongEnvironmentsThrowEveryTime) {
    EXPECT_WITH_ENVIRONMENT("gpu", array_throws<std::invalid_argument>() && array_throws<std::invalid_argument>());
    EXPECT_WITH_ENVIRONMENT("cuda", array_throws<device_error>());
}

TEST(ResolveDeathTest, TheEnvironmentIsReadOnce) {
    EXPECT_WITH_ENVIRONMENT("simulator", detail::environment_backend() == backend::simulator &&
                                             setenv("FOLDWISE_EXECUTOR", "cpu", 1) == 0 &&
                                             detail::environment_backend() == backend::simulator);
}

TEST(Resolve, AutomaticOnAStream) {
    fake_gpu gpu;
    auto* const stream = reinterpret_cast<CUstream_st*>(0x1000);
    const executor chosen = resolve(everything, 0, automatic(stream), unset);
    EXPECT_EQ(chosen.backend(), backend::cuda);
    EXPECT_EQ(chosen.stream(), stream);
    // The environment still chooses the backend, which an explicit cuda(stream) would not leave to it.
    const executor on_cpu = resolve(everything, no_gpu, automatic(stream), backend::cpu);
    EXPECT_EQ(on_cpu.backend(), backend::cpu);
    EXPECT_EQ(on_cpu.stream(), nullptr);
}
