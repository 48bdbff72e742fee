// python/jax_plan.cpp: writes and reads plans of calls in JAX as text, and runs them on arrays that have further axes.
#include "jax_plan.hpp"

#include <foldwise/detail/copy.hpp>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace foldwise::python {

namespace {

constexpr int format = 1;

bool is_same(const signature& a, const signature& b) {
    return a.pattern == b.pattern && a.vectorize == b.vectorize && a.reduce == b.reduce && a.scan == b.scan &&
           a.scatter == b.scatter && a.tasks == b.tasks && a.guvectorize == b.guvectorize && a.stencil == b.stencil;
}

}  // namespace

plan plan_of(const prepared_call& call, std::span<const int> ranks) {
    plan result;
    const std::vector<signature>& all = call.kernel.table.signatures;
    const auto own = std::ranges::find_if(all, [&](const signature& one) { return is_same(one, call.signature); });
    result.signature = static_cast<std::size_t>(own - all.begin());
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
        const operand_ref& one = call.operands[i];
        result.operands.push_back({ranks[i], one.layout, call.signature.operands[i].type.size, one.whole_axes});
    }
    if (call.restarts) {
        result.has_restarts = true;
        result.restarts = *call.restarts;
        result.operands.push_back({ranks.back(), call.restarts->elements.layout, call.restarts->size, 0});
    }
    static_cast<call_options&>(result) = call;
    if (const auto* bytes = static_cast<const std::byte*>(call.initial))
        result.initial.assign(bytes, bytes + call.signature.accumulator.size);
    return result;
}

namespace {

/// Plans are lists of numbers. Both directions say the same once.
class writer {
  public:
    template <class T> void operator()(const T& number) { text_ << static_cast<std::int64_t>(number) << ' '; }
    void operator()(const shape& extents) {
        (*this)(extents.rank());
        for (const std::int64_t extent : extents) (*this)(extent);
    }
    void operator()(const axes& numbers) {
        (*this)(numbers.count());
        for (int i = 0; i < numbers.count(); ++i) (*this)(numbers[i]);
    }
    template <class T> void operator()(const std::optional<T>& one) {
        (*this)(one.has_value());
        if (one) (*this)(*one);
    }
    template <class T, class Each> void list(const std::vector<T>& all, Each&& each) {
        (*this)(all.size());
        for (const T& one : all) each(one);
    }
    std::string text() const { return text_.str(); }

  private:
    std::ostringstream text_;
};

class reader {
  public:
    explicit reader(const std::string& text) : text_(text) {}

    template <class T> void operator()(T& number) { number = static_cast<T>(next()); }
    void operator()(shape& extents) { extents = shape(numbers()); }
    void operator()(axes& all) { all = axes(numbers()); }
    template <class T> void operator()(std::optional<T>& one) {
        if (next()) (*this)(one.emplace());
    }
    template <class T, class Each> void list(std::vector<T>& all, Each&& each) {
        all.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(next(), 0, 4096)));
        for (T& one : all) each(one);
    }

  private:
    std::int64_t next() {
        std::int64_t number = 0;
        if (!(text_ >> number)) throw std::invalid_argument("the plan of a call is not one of this module's");
        return number;
    }
    std::span<const std::int64_t> numbers() {
        list(numbers_, *this);
        return numbers_;
    }

    std::istringstream text_;
    std::vector<std::int64_t> numbers_;
};

template <class Visitor, class Plan> void visit(Visitor& visitor, Plan& plan) {
    visitor(plan.signature);
    visitor.list(plan.operands, [&](auto& operand) {
        visitor(operand.rank);
        visitor(operand.layout.shape);
        for (int axis = 0; axis < operand.layout.shape.rank(); ++axis)
            visitor(operand.layout.strides[static_cast<std::size_t>(axis)]);
        visitor(operand.size);
        visitor(operand.whole_axes);
    });
    visitor(plan.along);
    visitor(plan.whole);
    visitor(plan.stage);
    visitor(plan.keepdims);
    visitor(plan.is_exclusive);
    visitor(plan.is_reverse);
    visitor(plan.is_fresh);
    visitor(plan.steps);
    visitor(plan.has_restarts);
    visitor(plan.restarts.size);
    visitor(plan.restarts.is_signed);
    visitor(plan.restarts.are_offsets);
    visitor.list(plan.initial, visitor);
}

}  // namespace

std::string to_text(const plan& plan) {
    writer write;
    write(format);
    visit(write, plan);
    return write.text();
}

plan to_plan(const std::string& text) {
    reader read(text);
    int found = 0;
    read(found);
    if (found != format) throw std::invalid_argument("the plan of a call is of another version of Foldwise");
    plan result;
    visit(read, result);
    return result;
}

namespace {

/// An array's axes before those that the plan knows: their extents, and the elements from one index to the next.
struct batch {
    std::vector<std::int64_t> extents, strides;
};

/// Puts axes before those of a layout, which at first gets so many axes that others have of one element each.
void prepend(detail::layout& layout, int rank, std::span<const std::int64_t> extents,
             std::span<const std::int64_t> strides) {
    std::vector<std::int64_t> all(extents.begin(), extents.end());
    detail::layout result;
    std::ranges::copy(strides, result.strides.begin());
    const int own = layout.shape.rank();
    all.insert(all.end(), static_cast<std::size_t>(std::max(rank - own, 0)), 1);
    for (int axis = 0; axis < own; ++axis) {
        result.strides[all.size()] = layout.strides[static_cast<std::size_t>(axis)];
        all.push_back(layout.shape[axis]);
    }
    result.shape = shape(std::span<const std::int64_t>(all));
    layout = result;
}

class planned_execution {
  public:
    planned_execution(const plan& plan, const kernel& kernel, std::span<const bound_array> arrays,
                      foldwise::place place, const executor& where)
        : plan_(plan), call_{kernel, signature_of(plan, kernel), {}, where}, outputs_(call_.signature.inputs) {
        if (arrays.size() != plan.operands.size())
            throw std::invalid_argument("a call of " + kernel.name + " with " + std::to_string(arrays.size()) +
                                        " arrays, not " + std::to_string(plan.operands.size()));
        const bound_array& result = arrays[outputs_];
        batch_rank_ = static_cast<int>(result.extents.size()) - plan.operands[outputs_].rank;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            const planned_operand& operand = plan.operands[i];
            if (static_cast<int>(arrays[i].extents.size()) != batch_rank_ + operand.rank)
                throw std::invalid_argument("an array of " + kernel.name + " has another rank than was planned");
            call_.operands.push_back({arrays[i].data, operand.layout, place, operand.whole_axes > 0});
            call_.operands.back().whole_axes = operand.whole_axes;
            batches_.push_back(batch_of(arrays[i].extents, result.extents));
        }
        static_cast<call_options&>(call_) = plan;
        call_.initial = plan.initial.empty() ? nullptr : plan.initial.data();
    }

    void run() {
        if (call_.signature.pattern == patterns::guvectorize) clear_results();
        const int together = merge();
        std::vector<std::int64_t> index(static_cast<std::size_t>(batch_rank_ - together), 0);
        for (const std::size_t axis : axes_of(index))
            if (batches_[outputs_].extents[axis] == 0) return;
        do run_one(index);
        while (advance(index));
    }

  private:
    static const signature& signature_of(const plan& plan, const kernel& kernel) {
        if (plan.signature >= kernel.table.signatures.size())
            throw std::invalid_argument(kernel.name + " has no signature of the number that was planned");
        return kernel.table.signatures[plan.signature];
    }

    /// Sets results to zeros whose elements items may leave as they are.
    void clear_results() {
        for (std::size_t i = outputs_; i < plan_.operands.size(); ++i) {
            if (!call_.signature.operands[i].keeps) continue;
            const operand_ref& result = call_.operands[i];
            auto bytes = static_cast<std::int64_t>(plan_.operands[i].size) * result.layout.shape.size();
            for (const std::int64_t extent : batches_[i].extents) bytes *= extent;
            const std::byte zero{};
            detail::fill_elements(result.data, result.place, &zero, 1, bytes, call_.where.stream());
        }
    }

    batch batch_of(std::span<const std::int64_t> extents, std::span<const std::int64_t> result) const {
        batch found;
        std::int64_t stride = 1;
        for (std::size_t axis = static_cast<std::size_t>(batch_rank_); axis < extents.size(); ++axis)
            stride *= extents[axis];
        for (int axis = batch_rank_ - 1; axis >= 0; --axis) {
            const std::int64_t own = extents[static_cast<std::size_t>(axis)];
            found.extents.insert(found.extents.begin(), result[static_cast<std::size_t>(axis)]);
            found.strides.insert(found.strides.begin(), own == 1 ? 0 : stride);
            stride *= own;
        }
        return found;
    }

    static std::vector<std::size_t> axes_of(const std::vector<std::int64_t>& index) {
        std::vector<std::size_t> all(index.size());
        for (std::size_t axis = 0; axis < all.size(); ++axis) all[axis] = axis;
        return all;
    }

    /// Whether one call does what a call for each index of further axes does.
    bool can_merge() const {
        const signature& one = call_.signature;
        if (one.pattern == patterns::guvectorize) return true;
        const bool has_whole =
            std::ranges::any_of(plan_.operands, [](const planned_operand& operand) { return operand.whole_axes > 0; });
        if (has_whole || one.index_rank > 0 || plan_.whole || plan_.has_restarts) return false;
        return one.pattern == patterns::vectorize || one.pattern == patterns::reduce ||
               (one.pattern == patterns::scan && plan_.along);
    }

    /// The core dimensions of an operand, which come last.
    int cores_of(std::size_t operand) const {
        // With keepdims, an output has the axes of its loop alone.
        return call_.signature.pattern == patterns::guvectorize
                   ? static_cast<int>(call_.signature.operands[operand].core.size())
                   : 0;
    }

    /// Takes as many of the further axes into the call as it can have, the last ones, and returns their number.
    int merge() {
        if (batch_rank_ == 0 || !can_merge()) return 0;
        const bool folds = call_.signature.pattern == patterns::reduce;
        int loops = 0, longest = 0;
        for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
            const int rank = plan_.operands[i].layout.shape.rank();
            longest = std::max(longest, rank);
            if (!folds || i < outputs_) loops = std::max(loops, rank - cores_of(i));
        }
        for (std::size_t i = 0; i < plan_.operands.size(); ++i) longest = std::max(longest, loops + cores_of(i));
        const int together = std::min(batch_rank_, max_rank - longest);
        const auto first = static_cast<std::size_t>(batch_rank_ - together);
        for (std::size_t i = 0; i < plan_.operands.size(); ++i) {
            const bool is_result = folds && i >= outputs_;
            prepend(call_.operands[i].layout, is_result ? 0 : loops + cores_of(i),
                    std::span(batches_[i].extents).subspan(first), std::span(batches_[i].strides).subspan(first));
        }
        if (call_.signature.pattern == patterns::guvectorize || call_.signature.pattern == patterns::vectorize)
            return together;
        std::vector<std::int64_t> along;
        const int count = plan_.along ? plan_.along->count() : loops;
        for (int i = 0; i < count; ++i) along.push_back(together + (plan_.along ? (*plan_.along)[i] : i));
        if (!plan_.along) call_.keepdims = false;  // the result has no axis then
        call_.along = axes(std::span<const std::int64_t>(along));
        return together;
    }

    void run_one(const std::vector<std::int64_t>& index) {
        prepared_call one = call_;
        for (std::size_t i = 0; i < one.operands.size(); ++i) {
            std::int64_t offset = 0;
            for (const std::size_t axis : axes_of(index)) offset += index[axis] * batches_[i].strides[axis];
            auto* const data = static_cast<std::byte*>(one.operands[i].data);
            if (offset != 0) one.operands[i].data = data + offset * static_cast<std::int64_t>(plan_.operands[i].size);
        }
        if (plan_.has_restarts) {
            one.restarts = plan_.restarts;
            one.restarts->elements = one.operands.back();
            one.operands.pop_back();
        }
        python::execute(one);
    }

    bool advance(std::vector<std::int64_t>& index) const {
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < batches_[outputs_].extents[axis]) return true;
            index[axis] = 0;
        }
        return false;
    }

    const plan& plan_;
    prepared_call call_;
    std::size_t outputs_;  ///< The number of the first output.
    int batch_rank_ = 0;
    std::vector<batch> batches_;
};

}  // namespace

void execute(const plan& plan, const kernel& kernel, std::span<const bound_array> arrays, foldwise::place place,
             const executor& where) {
    planned_execution(plan, kernel, arrays, place, where).run();
}

}  // namespace foldwise::python
