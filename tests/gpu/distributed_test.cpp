// tests/gpu/distributed_test.cpp: arrays over several GPUs of one process. What the machine has serves the ranks in
// turn, so that one GPU shows all but the links.
#include "distributed.kernels.hpp"
#include "on_gpu.hpp"

#include <foldwise/distributed.hpp>

#ifdef FOLDWISE_TEST_NCCL
#include <foldwise/nccl.hpp>
#include <nccl.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using foldwise::axis;
using foldwise::communicator;
using foldwise::distributed;
using foldwise::shape;

class Distributed : public on_gpu {
  protected:
    static communicator group_of(int ranks) {
        std::vector<int> devices;
        for (int rank = 0; rank < ranks; ++rank) devices.push_back(rank % foldwise::gpu_count());
        return foldwise::gpus(devices);
    }
    static std::vector<std::int64_t> numbers(std::int64_t count) {
        std::mt19937 random(1);
        std::vector<std::int64_t> all(static_cast<std::size_t>(count));
        for (std::int64_t& one : all) one = static_cast<std::int64_t>(random() % 2001) - 1000;
        return all;
    }

    /// What the kernels give for arrays of a group is what they give on the CPU.
    static void compare(const communicator& world, const shape& extents) {
        const std::vector<std::int64_t> values = numbers(extents.size());
        const foldwise::executor cpu = foldwise::cpu();
        const auto host = foldwise::host(values, extents);
        distributed<std::int64_t> x(extents, world);
        for (const distributed<std::int64_t>& part : x.parts())
            EXPECT_EQ(part.local().place().kind, foldwise::memory::cuda);
        x.fill_from(values);
        EXPECT_EQ(x.to_host(), values);
        EXPECT_EQ(x.gathered().to_host(), values);
        EXPECT_EQ(x.redistribute().to_host(), values);
        EXPECT_EQ(x.replicated().to_host(), values);
        EXPECT_EQ(spread::difference(x, x).to_host(), spread::difference(host, host, cpu).to_host());
        distributed<std::int64_t> counted(extents, world);
        spread::number(counted);
        foldwise::array<std::int64_t> want(extents, cpu);
        spread::number(want);
        EXPECT_EQ(counted.to_host(), want.to_host());
        EXPECT_EQ(spread::sum(x), spread::sum(host, cpu));
        EXPECT_EQ(spread::compose(x), spread::compose(host, cpu));
        for (int along = 0; along < extents.rank(); ++along) {
            const distributed<std::uint64_t> got = spread::compose(x, axis(along));
            EXPECT_EQ(got.is_replicated(), along == 0);
            EXPECT_EQ(got.to_host(), spread::compose(host, axis(along), cpu).to_host());
            EXPECT_EQ(spread::difference(x, spread::sum(x, axis(along), foldwise::keepdims)).to_host(),
                      spread::difference(host, spread::sum(host, axis(along), foldwise::keepdims, cpu), cpu).to_host());
        }
    }
};

TEST_F(Distributed, RanksOfOneProcessComputeWhatOneComputes) {
    for (const int ranks : {1, 2, 3, 8}) {
        SCOPED_TRACE(ranks);
        const communicator world = group_of(ranks);
        EXPECT_EQ(world.size(), ranks);
        // The accumulators of many columns are combined in parts where there are many ranks.
        for (const shape& extents :
             {shape{0}, shape{1}, shape{100'003}, shape{5, 7}, shape{40, 30'000}, shape{8, 400'000}, shape{3, 4, 5}})
            compare(world, extents);
    }
}

TEST_F(Distributed, ArraysOfOtherGpusAreCopied) {
    const communicator world = group_of(std::max(2, foldwise::gpu_count()));
    distributed<std::int64_t> x({6, 4}, world);
    x.fill_from(numbers(24));
    const foldwise::array<std::int64_t> row = foldwise::to_device(std::vector<std::int64_t>{1, 2, 3, 4}, 0);
    EXPECT_EQ(
        spread::difference(x, row).to_host(),
        spread::difference(foldwise::host(numbers(24), {6, 4}), std::vector<std::int64_t>{1, 2, 3, 4}, foldwise::cpu())
            .to_host());
}

TEST_F(Distributed, SumsHaveTheSameBitsInEveryRun) {
    const communicator world = group_of(3);
    distributed<double> x({1'000'003}, world);
    std::vector<double> values(1'000'003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
    x.fill_from(values);
    const double first = spread::variance(x);
    for (int run = 0; run < 50; ++run) {
        const double again = spread::variance(x);
        EXPECT_EQ(std::memcmp(&first, &again, sizeof first), 0);
    }
    const std::vector<double> of_ranks = [&] {
        std::vector<double> all(3);
        world.run([&](const communicator& own) {
            all[static_cast<std::size_t>(own.rank())] =
                spread::variance(x.parts()[static_cast<std::size_t>(own.rank())]);
        });
        return all;
    }();
    for (const double one : of_ranks) EXPECT_EQ(one, first);
}

TEST_F(Distributed, WhatFailsOnOneGpuFailsInTheCall) {
    const communicator world = group_of(2);
    EXPECT_THROW(distributed<double>({std::int64_t{1} << 40}, world), foldwise::out_of_memory);
    EXPECT_THROW(world.run([](const communicator& own) {
        if (own.rank() == 1) throw foldwise::out_of_memory("of one rank");
        own.barrier();
    }),
                 foldwise::out_of_memory);
    compare(world, {1000});
    EXPECT_THROW(foldwise::gpus({foldwise::gpu_count()}), foldwise::device_error);
}

TEST_F(Distributed, HalosGoFromGpuToGpu) {
    const communicator world = group_of(3);
    distributed<std::int64_t> x({10, 1000}, world);
    const std::vector<std::int64_t> values = numbers(10'000);
    x.fill_from(values);
    world.run([&](const communicator& own) {
        const distributed<std::int64_t>& part = x.parts()[static_cast<std::size_t>(own.rank())];
        const foldwise::halos<std::int64_t> halo = part.exchange_halos(2);
        const std::int64_t first = std::max<std::int64_t>(0, part.begin() - 2);
        const std::vector<std::int64_t> got = halo.rows.to_host();
        EXPECT_TRUE(std::equal(got.begin(), got.end(), values.begin() + first * 1000));
        EXPECT_EQ(halo.before, part.begin() - first);
    });
}

/// A rank's group, in which no rows pass through the host.
class without_host_messages final : public foldwise::detail::transport {
  public:
    explicit without_host_messages(communicator given) : given_(std::move(given)) {}

    int rank() const override { return given_.rank(); }
    int size() const override { return given_.size(); }
    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        given_.transport().all_gather(mine, all, bytes);
    }
    void broadcast(void* data, std::size_t bytes, int root) override {
        given_.transport().broadcast(data, bytes, root);
    }
    void barrier() override { given_.barrier(); }
    void send(const void*, std::size_t, int, int) override { refuse(); }
    void receive(void*, std::size_t, int, int) override { refuse(); }
    std::unique_ptr<foldwise::detail::exchange>
    begin_exchange(std::span<const foldwise::detail::sent_message>,
                   std::span<const foldwise::detail::received_message>) override {
        refuse();
    }
    void abandon(const std::string& failure) noexcept override { given_.transport().abandon(failure); }
    int device() const override { return given_.transport().device(); }
    foldwise::detail::gpu_transport* between_gpus() override { return given_.transport().between_gpus(); }

  private:
    [[noreturn]] static void refuse() { throw foldwise::communication_error("rows pass through the host"); }

    communicator given_;
};

TEST_F(Distributed, HalosOfStencilsGoFromGpuToGpu) {
    const shape extents{50, 3000};
    const std::vector<std::int64_t> values = numbers(extents.size());
    const auto host = foldwise::host(values, extents);
    const foldwise::steps steps(3);
    const std::vector<std::int64_t> once = spread::star_nearest(host, std::int64_t{2}, foldwise::cpu()).to_host(),
                                    more = spread::star_wrap(host, std::int64_t{2}, steps, foldwise::cpu()).to_host();
    for (const int ranks : {1, 2, 3, 8}) {
        SCOPED_TRACE(ranks);
        const communicator world = group_of(ranks);
        distributed<std::int64_t> x(extents, world);
        x.fill_from(values);
        EXPECT_EQ(spread::star_nearest(x, std::int64_t{2}).to_host(), once);
        EXPECT_EQ(spread::star_wrap(x, std::int64_t{2}, steps).to_host(), more);
        world.run([&](const communicator& own) {
            const communicator direct(std::make_shared<without_host_messages>(own));
            distributed<std::int64_t> part(extents, direct);
            part.fill_from(values);
            const auto got = spread::star_nearest(part, std::int64_t{2}),
                       later = spread::star_wrap(part, std::int64_t{2}, steps);
            const auto is_own = [&](const distributed<std::int64_t>& result, const std::vector<std::int64_t>& all) {
                const std::vector<std::int64_t> rows = foldwise::to_host(result.local());
                return std::equal(rows.begin(), rows.end(), all.begin() + result.begin() * extents[1]);
            };
            EXPECT_TRUE(is_own(got, once));
            EXPECT_TRUE(is_own(later, more));
        });
    }
}

#ifdef FOLDWISE_TEST_NCCL

TEST_F(Distributed, NcclBesideAnotherGroup) {
    const communicator world = foldwise::nccl(communicator());
    EXPECT_EQ(world.size(), 1);
    for (const shape& extents : {shape{1}, shape{100'003}, shape{5, 7}, shape{40, 30'000}, shape{8, 400'000}})
        compare(world, extents);
}

/// A thread for each GPU, with a communicator of NCCL's own.
TEST_F(Distributed, NcclAlone) {
    const int count = foldwise::gpu_count();
    std::vector<ncclComm_t> made(static_cast<std::size_t>(count));
    ASSERT_EQ(ncclCommInitAll(made.data(), count, nullptr), ncclSuccess);
    foldwise::gpus().run([&](const communicator& own) {
        const int rank = own.rank();
        own_stream stream;
        {
            const communicator world = foldwise::nccl(made[static_cast<std::size_t>(rank)], rank, stream);
            EXPECT_EQ(world.rank(), rank);
            EXPECT_EQ(world.all_reduce(rank + 1, std::plus<>()), count * (count + 1) / 2);
            std::vector<std::uint8_t> own_bytes(3'000'000, static_cast<std::uint8_t>(rank));
            const std::vector<std::uint8_t> all = world.all_gather(own_bytes);
            for (int other = 0; other < count; ++other)
                EXPECT_EQ(all[static_cast<std::size_t>(other) * 3'000'000], other);
            EXPECT_EQ(world.broadcast(rank + 5, count - 1), count + 4);
            world.barrier();
            for (const shape& extents : {shape{1}, shape{100'003}, shape{5, 7}, shape{40, 30'000}})
                compare(world, extents);
        }
        // The others throw what one has thrown where no call asks for it.
        const communicator world = foldwise::nccl(made[static_cast<std::size_t>(rank)], rank, stream);
        std::string message;
        try {
            foldwise::detail::run_alone(world, [&] {
                if (rank == count - 1) throw foldwise::out_of_memory("of one process");
            });
            for (;;) world.barrier();
        } catch (const foldwise::out_of_memory& error) {
            message = error.what();
        }
        EXPECT_EQ(message, "of one process");
    });
    for (ncclComm_t one : made) ncclCommAbort(one);
}

#endif

/// How long small calls take, for docs/performance/scaling.md.
TEST_F(Distributed, Latencies) {
    const auto microseconds = [](int times, const std::function<void()>& f) {
        for (int i = 0; i < times / 10; ++i) f();
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < times; ++i) f();
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / times;
    };
    const auto one = foldwise::to_device(std::vector<double>(1'000'000, 1), foldwise::cuda());
    std::printf("sum of 1e6 on one GPU: %.1f us\n", microseconds(1000, [&] { (void)spread::sum(one); }));
    for (const int ranks : {1, 2, 4}) {
        const communicator world = group_of(ranks);
        distributed<double> x({1'000'000}, world);
        x.fill_from(std::vector<double>(1'000'000, 1));
        std::printf(
            "gpus, %d ranks: nothing %.1f us, all_gather of 8 bytes %.1f us, sum of 1e6 %.1f us\n", ranks,
            microseconds(1000, [&] { world.run([](const communicator&) {}); }),
            world.run([&](const communicator& own) { return microseconds(1000, [&] { (void)own.all_gather(1.0); }); }),
            microseconds(1000, [&] { EXPECT_EQ(spread::sum(x), 1'000'000); }));
    }
#ifdef FOLDWISE_TEST_NCCL
    const communicator beside = foldwise::nccl(communicator());
    distributed<double> x({1'000'000}, beside);
    x.fill_from(std::vector<double>(1'000'000, 1));
    std::printf("nccl beside a group of one: sum of 1e6 %.1f us, gathered %.1f us\n",
                microseconds(1000, [&] { (void)spread::sum(x); }), microseconds(1000, [&] { (void)x.gathered(); }));
    ncclComm_t made = nullptr;
    ASSERT_EQ(ncclCommInitAll(&made, 1, nullptr), ncclSuccess);
    {
        own_stream stream;
        const communicator alone = foldwise::nccl(made, 0, stream);
        distributed<double> y({1'000'000}, alone);
        y.fill_from(std::vector<double>(1'000'000, 1));
        std::printf("nccl alone: all_gather of 8 bytes %.1f us, sum of 1e6 %.1f us\n",
                    microseconds(1000, [&] { (void)alone.all_gather(1.0); }),
                    microseconds(1000, [&] { (void)spread::sum(y); }));
    }
    ncclCommDestroy(made);
#endif
}

}  // namespace
