// tests/unit/runtime/resource_test.cpp: the user's memory resources: which allocations use them, and the errors if they
// have no memory.
#include <foldwise/resource.hpp>

#include "expect_error.hpp"
#include "test_kernels.hpp"
#include "workspace.hpp"

#include <foldwise/array.hpp>
#include <foldwise/detail/vectorize.hpp>
#include <foldwise/error.hpp>
#include <foldwise/operand.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace foldwise;
using namespace test_kernels;
using vec = std::vector<float>;

namespace {

CUstream_st* const some_stream = reinterpret_cast<CUstream_st*>(0x1000);

/// What a stream handle of another library's looks like.
struct stream_view {
    stream_view(CUstream_st* stream) : handle(stream) {}
    CUstream_st* handle;
};

/// Allocations that were not given back, and everything that ever was.
struct ledger {
    struct entry {
        std::size_t bytes, alignment;
        CUstream_st* stream;
    };
    std::map<void*, entry> live;
    std::vector<entry> all;
    int failures_after = -1;  ///< So many allocations succeed before one fails; -1: all do.
};

/// As RMM's and CCCL's device resources are: a small handle on a state that lives elsewhere.
class counting {
  public:
    explicit counting(std::shared_ptr<ledger> book) : book_(std::move(book)) {}

    void* allocate(stream_view stream, std::size_t bytes, std::size_t alignment) {
        if (book_->failures_after == 0) {
            book_->failures_after = -1;
            throw std::bad_alloc();
        }
        if (book_->failures_after > 0) --book_->failures_after;
        void* data = nullptr;
        EXPECT_EQ(fake_gpu::current().allocate(data, bytes, stream.handle, nullptr), 0);
        book_->live[data] = {bytes, alignment, stream.handle};
        book_->all.push_back(book_->live[data]);
        return data;
    }
    void deallocate(stream_view stream, void* data, std::size_t bytes, std::size_t alignment) {
        const auto found = book_->live.find(data);
        ASSERT_NE(found, book_->live.end()) << "never allocated here, or freed twice";
        EXPECT_EQ(found->second.bytes, bytes);
        EXPECT_EQ(found->second.alignment, alignment);
        EXPECT_EQ(found->second.stream, stream.handle);
        book_->live.erase(found);
        fake_gpu::current().free(data, stream.handle);
    }

  private:
    std::shared_ptr<ledger> book_;
};

class Resource : public testing::Test {
  protected:
    ~Resource() override { EXPECT_TRUE(book->live.empty()) << book->live.size() << " allocations were not given back"; }

    executor counted() { return cuda(some_stream, resource(counting(book))); }

    fake_gpu gpu;
    std::shared_ptr<ledger> book = std::make_shared<ledger>();
};

void mix_into(operand<const float> x, operand<const float> y, operand<float> out, const executor& on) {
    detail::vectorize(mix, {x.ref(), y.ref()}, {out.ref()}, on);
}

TEST_F(Resource, ArraysOutliveTheVariableThatMadeThem) {
    foldwise::array<float> x = [&] {
        const resource variable{counting(book)};
        return foldwise::array<float>(shape{10}, cuda(some_stream, variable));
    }();
    ASSERT_EQ(book->all.size(), 1u);
    EXPECT_EQ(book->all[0].bytes, 40u);
    EXPECT_EQ(book->all[0].alignment, 256u);
    EXPECT_EQ(book->all[0].stream, some_stream);
    x = foldwise::array<float>(shape{3}, cuda(some_stream));
    EXPECT_TRUE(book->live.empty());
}

TEST_F(Resource, ResultsStagingAndWorkspacesComeFromIt) {
    const auto x = to_device(vec{1, 2, 3}, counted());
    EXPECT_EQ(book->all.size(), 1u);
    auto out = detail::result<float>(mix, {operand<const float>(x).ref()}, counted());
    EXPECT_EQ(book->all.size(), 2u);
    vec on_host{1, 2, 3};
    mix_into(on_host, x, out, counted());
    EXPECT_EQ(book->all.size(), 3u) << "the host's operand was staged elsewhere";
    mix_into(host(on_host.data(), {3}).slice(0, 2, -1, -1), x, out, counted());
    EXPECT_EQ(book->all.size(), 4u);
    EXPECT_EQ(book->live.size(), 2u);
    {
        const detail::workspace_lease lease = detail::workspace_of(counted(), {}, "test");
        EXPECT_EQ(lease.memory.counters, lease.of_call.data());
        EXPECT_EQ(book->live.size(), 3u);
    }
    EXPECT_EQ(book->live.size(), 2u) << "a workspace was kept";
    EXPECT_EQ(out.to_host(), (vec{5, 2, -1}));
}

TEST_F(Resource, AFailureIsOutOfMemoryAndLeavesNothingBehind) {
    const auto x = to_device(vec{1, 2, 3}, counted());
    vec a{1, 2, 3}, out(3, -1);
    for (int fails : {0, 1}) {
        book->failures_after = fails;
        expect_error<out_of_memory>([&] { mix_into(a, x, out, counted()); }, "test::mix: cannot allocate 12 bytes",
                                    "the memory resource threw std::bad_alloc");
        EXPECT_EQ(book->live.size(), 1u);
        EXPECT_EQ(out, vec(3, -1));
    }
    mix_into(a, x, out, counted());
    EXPECT_EQ(out, (vec{1, 2, 3}));
}

TEST_F(Resource, ANullPointerIsAFailureToo) {
    struct empty_handed {
        void* allocate(CUstream_st*, std::size_t, std::size_t) { return nullptr; }
        void deallocate(CUstream_st*, void*, std::size_t, std::size_t) { ADD_FAILURE(); }
    };
    expect_error<out_of_memory>([] { foldwise::array<float>(shape{5}, cuda(nullptr, resource(empty_handed()))); },
                                "20 bytes of GPU memory", "returned a null pointer");
    struct broken : empty_handed {
        void* allocate(CUstream_st*, std::size_t, std::size_t) { throw std::runtime_error("the pool is shut"); }
    };
    expect_error<out_of_memory>([] { foldwise::array<float>(shape{5}, cuda(nullptr, resource(broken()))); },
                                "threw the pool is shut");
}

TEST_F(Resource, HandlesMayBePointers) {
    counting one(book);
    const auto shared = std::make_shared<counting>(book);
    foldwise::array<float> a(shape{1}, cuda(some_stream, resource(&one)));
    foldwise::array<float> b(shape{1}, cuda(some_stream, resource(shared)));
    EXPECT_EQ(book->live.size(), 2u);
}

TEST_F(Resource, TheDefaultIsForAllThatIsGivenNone) {
    const resource before = set_default_resource(resource(counting(book)));
    EXPECT_EQ(before, stream_ordered_memory());
    {
        const auto x = to_device(vec{1, 2}, cuda(some_stream));
        EXPECT_EQ(book->live.size(), 1u);
        const foldwise::array<float> own(shape{2}, cuda(some_stream, stream_ordered_memory()));
        EXPECT_EQ(book->live.size(), 1u) << "a resource that is named comes before the default";
        const detail::workspace_lease lease = detail::workspace_of(cuda(some_stream), {}, "test");
        EXPECT_EQ(book->live.size(), 2u);
        EXPECT_NE(default_resource(memory::cuda), before);
        EXPECT_EQ(default_resource(memory::host), host_memory());
    }
    set_default_resource(before);
    EXPECT_EQ(default_resource(memory::cuda), before);
    const std::size_t asked = book->all.size();
    foldwise::array<float>(shape{2}, cuda(some_stream));
    EXPECT_EQ(book->all.size(), asked);
}

TEST_F(Resource, OfTheHostIsForArraysOnTheHost) {
    struct : std::pmr::memory_resource {
        void* do_allocate(std::size_t bytes, std::size_t alignment) override {
            EXPECT_EQ(alignment, 64u);
            live += bytes;
            return std::pmr::new_delete_resource()->allocate(bytes, alignment);
        }
        void do_deallocate(void* data, std::size_t bytes, std::size_t alignment) override {
            live -= bytes;
            std::pmr::new_delete_resource()->deallocate(data, bytes, alignment);
        }
        bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
        std::size_t live = 0;
    } arena;
    {
        const foldwise::array<float> x(shape{10}, cpu(resource(&arena)));
        EXPECT_EQ(arena.live, 40u);
        // A GPU's memory is not its business, nor the host's the GPU's.
        const foldwise::array<float> y(shape{10}, cuda(nullptr, resource(&arena)));
        const foldwise::array<float> z(shape{10}, cpu(resource(counting(book))));
        EXPECT_EQ(arena.live, 40u);
        EXPECT_TRUE(book->all.empty());
    }
    EXPECT_EQ(arena.live, 0u);
    const resource before = set_default_resource(resource(&arena));
    EXPECT_EQ(to_device(vec{1, 2}, cpu()).to_host(), (vec{1, 2}));
    set_default_resource(before);
    EXPECT_EQ(default_resource(memory::host), host_memory());
    EXPECT_EQ(arena.live, 0u);
}

TEST_F(Resource, ThoseThatComeWithTheRuntime) {
    {
        const foldwise::array<float> managed(shape{10}, cuda(some_stream, managed_memory()));
        EXPECT_EQ(managed.place().kind, memory::cuda);
        auto* const pool = reinterpret_cast<CUmemPoolHandle_st*>(0x70);
        const foldwise::array<float> pooled(shape{10}, cuda(some_stream, stream_ordered_memory(pool)));
        EXPECT_EQ(gpu.log(), (std::vector<std::string>{"allocate_managed", "allocate_from_pool"}));
        const foldwise::array<float> pinned(shape{10}, cpu(pinned_memory()));
        EXPECT_EQ(pinned.place().kind, memory::host);
        EXPECT_TRUE(gpu.is_pinned(pinned.data()));
    }
    EXPECT_EQ(gpu.pinned(), 0u);
    gpu.fail("allocate_managed", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([] { foldwise::array<float>(shape{10}, cuda(some_stream, managed_memory())); },
                                "cannot allocate 40 bytes of managed memory", "fakeError2");
    gpu.fail("allocate_pinned", 0, fake_gpu::out_of_memory);
    expect_error<out_of_memory>([] { foldwise::array<float>(shape{10}, cpu(pinned_memory())); },
                                "40 bytes of pinned memory");
}

}  // namespace
