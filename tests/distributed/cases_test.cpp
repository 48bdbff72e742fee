// tests/distributed/cases_test.cpp: random calls with arrays over several processes give what the same calls give with
// arrays of one: mpirun -np N cases_test [how many] [seed].
#include "check.hpp"
#include "distributed.kernels.hpp"

#include <foldwise/distributed.hpp>
#include <foldwise/mpi.hpp>
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using foldwise::array;
using foldwise::axis;
using foldwise::distributed;
using foldwise::shape;

// What distributed arrays cannot be passed to is said by the compiler.
template <class... A> using sum_of = decltype(spread::sum(std::declval<A>()...));
template <class... A> using scan_of = decltype(spread::running(std::declval<A>()...));
using numbers_of_all = distributed<std::int64_t>&;
static_assert(std::is_same_v<sum_of<numbers_of_all>, std::int64_t>);
static_assert(std::is_same_v<sum_of<numbers_of_all, foldwise::axes>, distributed<std::int64_t>>);
static_assert(std::is_same_v<sum_of<numbers_of_all, numbers_of_all>, foldwise::no_result>);
static_assert(std::is_same_v<sum_of<shape, numbers_of_all>, foldwise::no_result>);
static_assert(std::is_same_v<sum_of<distributed<float>&>, foldwise::no_result>);
static_assert(std::is_same_v<scan_of<numbers_of_all>, foldwise::no_result>);

std::vector<std::int64_t> numbers(const shape& extents, std::mt19937& random) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(extents.size()));
    for (std::int64_t& one : all) one = static_cast<std::int64_t>(random() % 2001) - 1000;
    return all;
}

/// One case. All processes draw the same numbers.
class trial {
  public:
    trial(const foldwise::communicator& world, std::uint32_t seed) : world_(world), random_(seed) {
        std::vector<std::int64_t> extents(1 + random_() % 3);
        for (std::int64_t& one : extents) one = random_() % 8 == 0 ? 0 : static_cast<std::int64_t>(1 + random_() % 6);
        if (random_() % 2 == 0) extents[0] = static_cast<std::int64_t>(random_() % 40);
        shape_ = shape(std::span<const std::int64_t>(extents));
        values_ = numbers(shape_, random_);
        text_ = foldwise::to_string(shape_) + ", seed " + std::to_string(seed);
    }

    void run() {
        distributed<std::int64_t> x(shape_, world_);
        x.fill_from(values_);
        CHECK(x.to_host() == values_, text_);
        CHECK(x.local().shape()[0] == x.end() - x.begin(), text_);
        with_second_operand(x);
        with_index(x);
        others(x);
        whole_folds(x);
        folds_along_axes(x);
    }

  private:
    foldwise::view<const std::int64_t> host() const { return foldwise::host(std::as_const(values_), shape_); }

    void with_second_operand(const distributed<std::int64_t>& x) {
        std::vector<std::int64_t> extents(shape_.begin(), shape_.end());
        switch (random_() % 4) {
        case 0:
            break;
        case 1:
            extents[0] = 1;
            break;
        case 2:
            extents.erase(extents.begin());
            break;
        default:
            extents.back() = 1;
        }
        const shape other{std::span<const std::int64_t>(extents)};
        const std::vector<std::int64_t> second = numbers(other, random_);
        const auto one = foldwise::host(second, other);
        const std::vector<std::int64_t> want = spread::difference(host(), one).to_host();
        CHECK(spread::difference(x, one).to_host() == want, text_);
        CHECK(spread::difference(x, foldwise::to_device(one)).to_host() == want, text_);
        if (other.rank() > 0) {
            distributed<std::int64_t> y(other, world_);
            y.fill_from(second);
            const distributed<std::int64_t> z = spread::difference(x, y);
            CHECK(z.shape() == shape_ && !z.is_replicated() && z.to_host() == want, text_);
            distributed<std::int64_t> out(shape_, world_);
            spread::difference(y, x, out);
            CHECK(out.to_host() == spread::difference(one, host()).to_host(), text_);
            CHECK(spread::dot(x, y) == spread::dot(host(), one), text_);
        }
        CHECK(spread::difference(std::int64_t{5}, x).to_host() == spread::difference(std::int64_t{5}, host()).to_host(),
              text_);
    }

    void with_index(distributed<std::int64_t>& x) {
        if (shape_.rank() == 3) {
            CHECK(spread::place(x).to_host() == spread::place(host()).to_host(), text_);
            CHECK(spread::moment(x) == spread::moment(host()), text_);
            for (int along = 0; along < 3; ++along)
                CHECK(spread::moment(x, axis(along)).to_host() == spread::moment(host(), axis(along)).to_host(), text_);
        }
        distributed<std::int64_t> out(shape_, world_);
        array<std::int64_t> want(shape_);
        spread::number(out);
        spread::number(want);
        CHECK(out.to_host() == want.to_host(), text_);
        spread::drawn(std::uint64_t{1}, out);
        spread::drawn(std::uint64_t{1}, want);
        CHECK(out.to_host() == want.to_host(), text_);
    }

    void others(const distributed<std::int64_t>& x) {
        const shape entries{1 + static_cast<std::int64_t>(random_() % 7)};
        const std::vector<std::int64_t> table = numbers(entries, random_);
        distributed<std::int64_t> spread_table(entries, world_);
        spread_table.fill_from(table);
        const std::vector<std::int64_t> want = spread::looked_up(host(), table).to_host();
        CHECK(spread::looked_up(x, table).to_host() == want, text_);
        CHECK(spread::looked_up(x, spread_table).to_host() == want, text_);
        const auto [more, half] = spread::both(x);
        const auto [want_more, want_half] = spread::both(host());
        CHECK(more.to_host() == want_more.to_host() && half.to_host() == want_half.to_host(), text_);
    }

    void whole_folds(const distributed<std::int64_t>& x) {
        CHECK(spread::sum(x) == spread::sum(host()), text_);
        CHECK(spread::sum(x, foldwise::initial(7)) == spread::sum(host()) + 7, text_);
        CHECK(spread::compose(x) == spread::compose(host()), text_);
        const spread::affine first{3, 11};
        CHECK(spread::compose(x, foldwise::initial(first)) == spread::compose(host(), foldwise::initial(first)), text_);
        if (shape_.size() > 0)
            CHECK(spread::last(x) == values_.back(), text_);
        else
            CHECK(message_of<foldwise::empty_error>([&] { spread::last(x); }).find("spread::last") != std::string::npos,
                  text_);
        distributed<double> y(shape_, world_);
        y.fill_from(std::vector<double>(values_.begin(), values_.end()));
        const double got = spread::variance(y),
                     want = spread::variance(std::vector<double>(values_.begin(), values_.end()));
        CHECK(std::abs(got - want) <= 1e-9 * want || got == want || (got != got && want != want), text_);
        const std::vector<double> all = world_.all_gather(got);
        for (const double one : all) CHECK(one == got || got != got, text_);
    }

    void folds_along_axes(const distributed<std::int64_t>& x) {
        const auto mask = static_cast<unsigned>(random_() % (1u << shape_.rank()));
        std::vector<int> along;
        for (int i = 0; i < shape_.rank(); ++i)
            if (mask >> i & 1) along.push_back(random_() % 2 == 0 ? i : i - shape_.rank());
        const foldwise::axes axes = along.empty()       ? axis()
                                    : along.size() == 1 ? axis(along[0])
                                    : along.size() == 2 ? axis(along[0], along[1])
                                                        : axis(along[0], along[1], along[2]);
        const spread::affine first{5, 1};
        const distributed<std::uint64_t> f = spread::compose(x, axes);
        CHECK(f.is_replicated() == ((mask & 1) != 0), text_);
        CHECK(f.to_host() == spread::compose(host(), axes).to_host(), text_);
        const auto kept = spread::compose(x, axes, foldwise::keepdims, foldwise::initial(first));
        const auto want = spread::compose(host(), axes, foldwise::keepdims, foldwise::initial(first));
        CHECK(kept.shape() == want.shape() && kept.to_host() == want.to_host(), text_);
        // What a fold along rows gives is an operand of further calls.
        const auto sums = spread::sum(x, axes, foldwise::keepdims);
        const auto want_sums = spread::sum(host(), axes, foldwise::keepdims);
        CHECK(spread::difference(x, sums).to_host() == spread::difference(host(), want_sums).to_host(), text_);
        CHECK(spread::sum(sums) == spread::sum(want_sums), text_);
    }

    foldwise::communicator world_;
    std::mt19937 random_;
    shape shape_;
    std::vector<std::int64_t> values_;
    std::string text_;
};

void use(const foldwise::communicator& world) {
    const int rank = world.rank(), size = world.size();
    std::vector<int> own(static_cast<std::size_t>(rank % 3), rank), all;
    for (int i = 0; i < size; ++i) all.insert(all.end(), static_cast<std::size_t>(i % 3), i);
    CHECK(world.all_gather(own) == all);
    CHECK(world.all_reduce(rank + 1, [](int a, int b) { return a * 10 + b; }) == [&] {
        int number = 1;
        for (int i = 1; i < size; ++i) number = number * 10 + i + 1;
        return number;
    }());
    CHECK(world.broadcast(rank, size - 1) == size - 1);
    CHECK(!message_of<foldwise::communication_error>([&] { (void)world.broadcast(rank, size); }).empty());
    world.barrier();
    if (size > 1) {
        const std::vector<double> sent(1000, rank);
        std::vector<double> got(1000);
        if (rank % 2 == 0 && rank + 1 < size) world.send(sent, rank + 1, 4);
        if (rank % 2 == 1) world.receive(got, rank - 1, 4);
        CHECK(rank % 2 == 0 || got == std::vector<double>(1000, rank - 1));
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int cases = argc > 1 ? std::atoi(argv[1]) : 60, seed = argc > 2 ? std::atoi(argv[2]) : 1;
    {
        const foldwise::communicator world = foldwise::mpi(MPI_COMM_WORLD);
        use(world);
        for (int i = 0; i < cases; ++i) trial(world, static_cast<std::uint32_t>(seed * 100'000 + i)).run();
        failures = world.all_reduce(failures, [](int a, int b) { return a + b; });
        if (world.rank() == 0) std::printf("%d cases, %d processes: %d failed\n", cases, world.size(), failures);
    }
    MPI_Finalize();
    return failures != 0;
}
