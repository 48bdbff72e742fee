#!/usr/bin/env bash
# Mistakes in calls of generated functions: GCC, Clang and nvcc each report one error of a few lines, at the user's line,
# which names the mistake, the argument and what was expected.
source "$(dirname "$0")/common.sh"

cat > stats.kernels.cpp <<'TEXT'
#include <foldwise/spec.hpp>

#include <complex>
#include <cstdint>
#include <tuple>

namespace stats {
auto squared = foldwise::vectorize([](std::complex<float> z) { return z * z; });
auto doubled = foldwise::vectorize([](foldwise::half h) { return foldwise::half(h + h); });
auto tripled = foldwise::vectorize([](foldwise::bfloat16 h) { return foldwise::bfloat16(h * 3.0f); });

struct normaliser {
    float mean, deviation;
    float operator()(float x) const { return (x - mean) / deviation; }
};
auto normalised = foldwise::vectorize([](float x, normaliser f) { return f(x); });
auto running = foldwise::scan<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto histogram = foldwise::scatter<int(std::uint8_t)>(foldwise::map([](std::uint8_t x) { return foldwise::at(x, 1); }),
    [](int a, int b) { return a + b; }, foldwise::identity(0));
auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto counted = foldwise::vectorize<std::uint16_t(std::uint16_t), std::int16_t(std::int16_t)>([](auto x) { return x; });
auto split = foldwise::vectorize([](float x) { return std::tuple{x, -x}; });
auto ramp = foldwise::vectorize([](foldwise::index<1> i, float x) { return x * static_cast<float>(i); });
auto sum = foldwise::reduce<float, double>([](auto a, auto b) { return a + b; }, foldwise::identity(0));
struct moments_of { float mean; int count; };
auto moments = foldwise::reduce<moments_of(float)>(foldwise::map([](float x) { return moments_of{x, 1}; }),
    [](moments_of a, moments_of b) { return moments_of{a.mean + b.mean, a.count + b.count}; },
    foldwise::identity(moments_of{0, 0}));
auto count = foldwise::reduce<int()>(foldwise::map([](foldwise::index<1> i) { return static_cast<int>(i % 2); }),
    [](int a, int b) { return a + b; }, foldwise::identity(0));
auto weigh = foldwise::reduce<float(float)>(
    foldwise::map([](foldwise::index<2> at, float x) { return x * static_cast<float>(at[0]); }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));
auto twice = foldwise::forall(
    [](foldwise::index<1> i, foldwise::view<const float, 1> x, foldwise::view<float, 1> out, int n) {
        out[i] = x[i] * static_cast<float>(n);
    });
auto look_up = foldwise::vectorize([](int i, foldwise::view<const float, 1> table) { return table[i]; });
auto reversed = foldwise::vectorize(
    [](foldwise::index<1> i, foldwise::view<const float, 1> x) { return x[x.extent(0) - 1 - i]; });
auto scaled_rows = foldwise::guvectorize("(n)->(n)", [](foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
    for (int i = 0; i < x.extent(0); ++i) out[i] = 2 * x[i];
});
auto pooled = foldwise::guvectorize("(n)->(p)", [](foldwise::view<const float, 1> x, foldwise::view<float, 1> out) {
    for (int i = 0; i < out.extent(0); ++i) out[i] = x[0];
});
auto blurred = foldwise::stencil([](foldwise::around<const float, 1> a) { return (a(-1) + a(1)) / 2; },
                                 foldwise::edge::nearest);
auto heated = foldwise::stencil([](foldwise::around<const float, 1> a, float k) { return k * (a(-1) + a(1)); },
                                foldwise::edge::nearest);
auto checkers = foldwise::vectorize([](foldwise::index<2> at) { return static_cast<float>((at[0] + at[1]) % 2); });
auto inner = foldwise::stencil([](foldwise::around<const float, 1> a) { return (a(-1) + a(1)) / 2; },
                               foldwise::edge::skip);
auto heat = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> u, foldwise::view<float, 2> v) {
    v[at] = u[at] / 2;
});
}
TEXT
quietly "$GENERATOR" --backend=cpu --out-dir=. stats.kernels.cpp -- -std=c++20 -I"$SOURCE/runtime/include"

# The lines that a message may have, counted with all that the compiler prints.
most_lines_of() {  # most_lines_of COMPILER KIND
  if [[ $2 == unprinted ]]; then echo 8; elif [[ $1 == g++ ]]; then echo 5; else echo 7; fi
}

user_line=4

# What all calls need, compiled once for each compiler.
cat > before.hpp <<'TEXT'
#pragma once
#include "stats.kernels.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// As CUDA and Thrust define them; and a class of the user's that looks like theirs.
struct alignas(2) __half { unsigned short bits; };
struct alignas(2) __nv_bfloat16 { unsigned short bits; };
namespace others {
template <class T> struct complex {
    using value_type = T;
    T real() const { return first; }
    T imag() const { return second; }
    T first, second;
};
}
namespace thrust {
inline namespace version {
template <class T> struct alignas(2 * sizeof(T)) complex : others::complex<T> {};
}
}

struct own_of_user {};

// As Thrust's policies and pointers to GPU memory are made.
namespace thrust_like {
template <class Derived> struct policy_base {};
template <class Derived> Derived& derived_cast(policy_base<Derived>& policy) { return static_cast<Derived&>(policy); }
template <class Derived> const Derived& derived_cast(const policy_base<Derived>& policy) {
    return static_cast<const Derived&>(policy);
}
struct policy : policy_base<policy> {} const par;
template <class T> struct device_ptr {
    T* address;
    T* get() const { return address; }
    T& operator*() const { return *address; }
};
template <class T> struct device_vector {
    device_ptr<T> data() { return {nullptr}; }
    device_ptr<const T> data() const { return {nullptr}; }
    std::size_t size() const { return 3; }
};
}
TEXT
options=(-std=c++20 -Wall -Wextra -Wno-unused -Wno-unused-parameter -I"$SOURCE/runtime/include" -I.)
compilers=(g++)
quietly g++ "${options[@]}" -x c++-header before.hpp -o before.hpp.gch
if [[ -n $CLANG ]]; then
  compilers+=("$CLANG")
  quietly "$CLANG" "${options[@]}" -x c++-header before.hpp -o before.pch
fi

# The code in a function that has all kinds of operands, at line 4 of FILE, as NAME.
called() {  # called FILE NAME CODE
  cat <<TEXT
#line 2 "$1"
void $2(std::vector<float>& x, std::vector<float>& out, const std::vector<float>& fixed, std::vector<double>& wide,
          std::vector<int>& whole, float* pointer, CUstream_st* stream) {
    $3;
}
TEXT
}

# What is said of each call, and what has to be. Calls are written down first and compiled later, all of them at once.
kinds=() words=() codes=()
write_down() { kinds+=("$1") words+=("$2") codes+=("$3"); }
refused() { write_down refused "$@"; }          # refused MISTAKE CODE
written() { write_down written "$@"; }          # written WORDS CODE: of what arrays are not made, what to write
unprinted() { write_down unprinted "$@"; }      # unprinted WORDS CODE: how what has no operator<< is printed
deleted() { write_down deleted "$@"; }          # deleted WORDS CODE: functions that other libraries' arrays have
unavailable() { write_down unavailable "$@"; }  # unavailable WORDS CODE
wasted() { write_down wasted "" "$1"; }         # a result that is thrown away is a warning, which names the function
dangling() { write_down dangling "" "$1"; }     # a view that outlives its temporary is a warning of Clang's
lasting() { write_down lasting "" "$1"; }
accepted() { write_down accepted "" "$1"; }

warnings_of() {  # warnings_of KIND: options, in the array flags
  flags=()
  case $1 in
    wasted) flags=(-Wunused-result -Wunused-value) ;;
    lasting) flags=(-Werror=dangling) ;;
    accepted) flags=(-Werror) ;;
  esac
}

compiled() {  # compiled COMPILER FILE [option...] > LOG
  local precompiled=(-Winvalid-pch)
  [[ $1 == g++ ]] || precompiled=(-include-pch before.pch -ferror-limit=0)
  "$1" "${options[@]}" "${precompiled[@]}" -fsyntax-only "${@:3}" "$2" 2>&1
}

# Whether the compiler says what it should of call I, which it has refused or not; `complaint` is what it does not say.
is_right() {  # is_right I COMPILER FILE LOG IS_REFUSED NOT_COUNTED MOST_LINES
  local kind=${kinds[$1]} said=${words[$1]} file=${3//./\\.} log=$4
  case $kind in
    wasted | dangling | lasting | accepted) complaint="$2 refuses"; (($5 == 0)) || return 1 ;;
    *)
      complaint="$2 accepts"; (($5 == 1)) || return 1
      complaint="$2 has several errors for"; [[ $(grep -c ' error: ' "$log") == 1 ]] || return 1
      ;;
  esac
  complaint="$2 does not name the line of"
  case $kind in
    refused | written) grep -qF "$3:$user_line:" "$log" || return 1 ;;
    deleted) grep -qE "^$file:$user_line:[0-9]+: error: .*deleted" "$log" || return 1 ;;
    unprinted) grep -qE "^$file:$user_line:[0-9]+: error: .*(deleted|unavailable: print )" "$log" || return 1 ;;
  esac
  complaint="$2 does not say '$said' for"
  case $kind in
    refused) grep -qF "foldwise::wrong_call::$said" "$log" || return 1 ;;
    written) grep ' error: static assertion failed' "$log" | grep -qF ": write $said" || return 1 ;;
    deleted) grep -qF "delete;  // $said" <(sed 's/delete; *\/\//delete;  \/\//' "$log") || return 1 ;;
    unprinted) grep -qF "FOLDWISE_NOT_PRINTED(\"$said\")" "$log" || return 1 ;;
    unavailable) grep -E "^$file:$user_line:[0-9]+: error: .*unavailable: " "$log" | grep -qF "$said" || return 1 ;;
  esac
  complaint="$2 does not warn of"
  case $kind in
    wasted)
      grep -qE "^$file:$user_line:[0-9]+: warning: ignoring return(ed)? value of .*-Wunused-(result|value)" "$log" ||
        return 1
      ;;
    dangling) grep -qE "^$file:$user_line:[0-9]+: warning: .*-Wdangling" "$log" || return 1 ;;
  esac
  [[ $kind == @(refused|unprinted) ]] || return 0
  if [[ $kind == refused && $2 == g++ ]]; then
    complaint="$2 does not name the kernel of"
    grep -q 'error:.*stats::[a-z_]* cannot be called with these arguments' "$log" || return 1
  elif [[ $kind == refused ]]; then
    complaint="$2 does not report where it is called"
    grep -q "^$file:$user_line:[0-9]*: error:.*this_call_is_not_possible_because<foldwise::wrong_call::" "$log" || return 1
    complaint="$2 does not quote where reasons are explained for"
    grep -qF 'diagnostics.md#calls' "$log" || return 1
  fi
  complaint="$2 takes more than $7 lines for"
  (($(grep -cvE "$6" "$log") <= $7))
}

check_alone() {  # check_alone I COMPILER
  local flags is_refused=0
  warnings_of "${kinds[$1]}"
  { echo '#include "before.hpp"' && called call.cpp call "${codes[$1]}"; } > call.cpp
  compiled "$2" call.cpp "${flags[@]}" > log.txt || is_refused=1
  is_right "$1" "$2" call.cpp log.txt $is_refused '^In file included from .*before.hpp:' \
    "$(most_lines_of "$2" "${kinds[$1]}")" ||
    { cat log.txt >&2; fail "$complaint: ${codes[$1]}"; }
}

# All calls of the kinds as functions of one file; what is said of call I becomes the file said/I. A call that is not
# said of what should be is compiled alone, because a compiler reports once what two calls have in common.
check_together() {  # check_together COMPILER KIND...
  local compiler=$1 flags is_refused=0 i alone=0 together=()
  shift
  warnings_of "$1"
  rm -rf said
  mkdir said
  echo '#include "before.hpp"' > calls.cpp
  for i in "${!kinds[@]}"; do
    [[ " $* " == *" ${kinds[i]} "* ]] || continue
    # One that closes the function declares something for all that come behind it.
    if [[ ${codes[i]} == "}"* ]]; then check_alone "$i" "$compiler"; continue; fi
    together+=("$i")
    called "call_$i.cpp" "call_$i" "${codes[i]}" >> calls.cpp
  done
  compiled "$compiler" calls.cpp "${flags[@]}" > log.txt || is_refused=1
  awk '
    function flush(  rest, file, seen) {
      rest = text
      while (match(rest, /call_[0-9]+\.cpp/)) {
        file = substr(rest, RSTART + 5, RLENGTH - 9)
        rest = substr(rest, RSTART + RLENGTH)
        if (!(file in seen)) { printf "%s", text >> "said/" file; close("said/" file) }
        seen[file]
      }
      text = ""
    }
    /^In file included from |^ +from |: (In|At) [a-z ]+|:   (recursively )?required (from|by)/ {
      before = before $0 "\n"; next
    }
    / generated\.$/ { next }
    / (error|warning): / { flush() }
    { text = text before $0 "\n"; before = "" }
    END { flush() }' log.txt
  for i in "${together[@]}"; do
    [[ -e said/$i ]] || : > "said/$i"
    local refuses=$is_refused
    [[ ${kinds[i]} == @(wasted|dangling|lasting|accepted) ]] || refuses=$(grep -c -m1 ' error: ' "said/$i" || true)
    # Which file includes which and how many errors there are is not said for each call, so that a line is not counted.
    is_right "$i" "$compiler" "call_$i.cpp" "said/$i" "$refuses" '^In file included from |^ +from ' \
      $(($(most_lines_of "$compiler" "${kinds[i]}") - 1)) && continue
    check_alone "$i" "$compiler"
    alone=$((alone + 1))
  done
  echo "$compiler, $*: ${#together[@]} calls together, and $alone of them alone"
}

refused 'an_input_has_elements_of_another_type<1, std::vector<int' 'stats::rel_diff(whole, 1.0f, out)'
refused 'an_input_has_elements_of_another_type<2, ' 'auto z = stats::rel_diff(x, "text")'
refused 'an_input_is_neither_a_range_nor_a_value_that_converts<2, ' 'stats::rel_diff(x, nullptr, out)'
refused 'an_input_has_elements_of_another_type<1, std::vector<int' 'float s = stats::sum(whole)'
refused 'an_input_has_elements_of_another_type<1, std::vector<int' 'foldwise::array<float> s = stats::sum(whole, foldwise::axis(0))'
refused 'the_number_of_arguments_is_wrong<1, ' 'foldwise::array<float> z = stats::rel_diff(x)'
refused 'the_number_of_arguments_is_wrong<0, ' 'stats::sum()'
refused 'outputs_are_missing_so_pass_all_of_them_or_none_to_be_given_arrays<2, ' 'stats::split(x, out)'
refused 'an_output_is_const<3, ' 'stats::rel_diff(x, x, fixed)'
refused 'an_output_is_const<2, ' 'stats::sum(x, fixed)'
refused 'an_output_is_const<3, ' 'stats::twice(3, x, fixed, 2)'
refused 'an_output_is_const<3, ' 'stats::rel_diff(x, x, foldwise::host(std::vector<float>(3)))'
refused 'an_output_is_a_temporary<3, ' 'stats::rel_diff(x, x, std::vector<float>(3))'
refused 'an_output_has_elements_of_another_type<3, ' 'stats::split(x, out, wide)'
refused 'an_output_is_not_a_range<3, ' 'float r = 0; stats::rel_diff(x, x, r)'
refused 'elements_of_a_container_are_not_contiguous<1, ' 'stats::rel_diff(std::deque<float>(3), x, out)'
refused 'elements_of_a_container_are_not_contiguous<3, ' 'std::vector<bool> b; stats::rel_diff(x, x, b)'
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<1, float' 'stats::rel_diff(pointer, x, out)'
# As many pointers as iterators of a Thrust algorithm: each of them is the mistake, and not what is left over.
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<1, float' 'stats::split(pointer, pointer + 3, pointer, pointer)'
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<1, float' 'stats::rel_diff(pointer, pointer, 3, pointer)'
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<2, float' 'stats::twice(3, pointer, pointer, 2)'
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<2, std::unique_ptr<float' 'std::unique_ptr<float[]> p; stats::rel_diff(x, p, out)'
refused 'a_pointer_has_no_size_so_pass_foldwise_host_or_device_of_it<1, std::shared_ptr<float' 'float s = stats::sum(std::shared_ptr<float[]>())'
refused 'an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<1, ' 'stats::rel_diff(stream, x, x, out)'
refused 'ranges_are_arguments_of_their_own_and_not_zipped<1, std::' 'stats::rel_diff(std::tie(x, x), out)'
refused 'ranges_are_arguments_of_their_own_and_not_zipped<2, std::' 'stats::split(x, std::tuple{out, out})'
refused 'ranges_are_arguments_of_their_own_and_not_zipped<1, std::' 'stats::sum(std::pair{x, x})'
refused 'an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<4, ' 'stats::rel_diff(x, x, out, stream)'
refused 'an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<3, ' 'stats::rel_diff(x, x, stream)'
refused 'an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<4, ' 'stats::rel_diff(x, x, out, foldwise::backend::cpu)'
refused 'an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic<2, ' 'stats::sum(x, stream)'
refused 'no_one_signature_takes_all_arguments<' 'stats::rel_diff(x, wide)'
refused 'single_values_fit_several_signatures_equally_well<' 'stats::counted(2.5)'
keepdims=keepdims_comes_behind_the_axis_of_a_reduction
refused "$keepdims<2, " 'stats::sum(x, foldwise::keepdims)'
refused "$keepdims<3, " 'stats::sum(x, out, foldwise::keepdims)'
refused "$keepdims<2, " 'stats::sum(x, foldwise::keepdims, foldwise::axis(0))'
refused "$keepdims<3, " 'stats::running(x, foldwise::axis(0), foldwise::keepdims)'
refused 'keepdims_is_given_as_foldwise_keepdims<3, bool' 'auto s = stats::sum(x, foldwise::axis(0), true)'
refused 'keepdims_is_given_as_foldwise_keepdims<4, bool' 'bool keep = true; stats::sum(x, out, foldwise::axis(0), keep, foldwise::cpu())'
refused 'an_initial_value_is_given_as_foldwise_initial<2, bool' 'float s = stats::sum(x, true)'
refused 'an_option_is_given_by_its_name_such_as_foldwise_exclusive<3, bool' 'stats::running(x, out, true)'
refused 'an_option_is_given_by_its_name_such_as_foldwise_exclusive<2, bool' 'auto s = stats::running(x, true)'
of_scans=keys_and_exclusive_and_reverse_are_options_of_scans_alone
refused "$of_scans<2, const foldwise::exclusive_t" 'stats::sum(x, foldwise::exclusive)'
refused "$of_scans<3, const foldwise::reverse_t" 'stats::sum(x, out, foldwise::reverse)'
refused "$of_scans<2, foldwise::key_range" 'auto s = stats::sum(x, foldwise::by_key(whole))'
both='a_reduction_is_along_axes_or_of_segments_and_not_both'
refused "$both<3, foldwise::axes" 'auto s = stats::sum(x, foldwise::segments(whole), foldwise::axis(0))'
refused "$both<3, foldwise::offset_range" 'auto s = stats::sum(x, foldwise::axis(0), foldwise::segments(whole))'
# Options of folds in calls of functions that are none.
no_fold=an_option_of_reductions_and_scans_is_none_of_this_function
refused "$no_fold<2, foldwise::offset_range" 'auto z = stats::rel_diff(x, foldwise::segments(whole))'
refused "$no_fold<4, foldwise::key_range" 'stats::rel_diff(x, x, out, foldwise::by_key(whole))'
refused "$no_fold<3, foldwise::initial_value<float>" 'auto z = stats::rel_diff(x, x, foldwise::initial(1.0f))'
refused "$no_fold<2, const foldwise::keepdims_t" 'auto z = stats::rel_diff(x, foldwise::keepdims)'
refused "$no_fold<2, foldwise::offset_range" 'auto z = stats::blurred(x, foldwise::segments(whole), foldwise::cpu())'
refused "$no_fold<1, foldwise::key_range" 'auto z = stats::scaled_rows(foldwise::by_key(whole), x)'
refused "$no_fold<5, foldwise::offset_range" 'stats::twice(3, x, out, 2, foldwise::segments(whole))'
refused "$no_fold<3, foldwise::key_range" 'auto h = stats::histogram(std::vector<std::uint8_t>(3), foldwise::shape{4}, foldwise::by_key(whole))'
refused 'the_axis_is_an_option_of_reductions_and_scans_alone<1, foldwise::axes' 'auto z = stats::rel_diff(foldwise::axis(0), x)'
refused 'foldwise_steps_are_an_option_of_stencils_alone<2, foldwise::steps' 'auto z = stats::running(x, foldwise::steps(3))'
refused 'foldwise_steps_are_an_option_of_stencils_alone<4, foldwise::steps' 'stats::rel_diff(x, x, out, foldwise::steps(3), foldwise::cpu())'
refused 'partial_and_from_partials_are_options_of_reductions_alone<2, const foldwise::partial_t' 'auto z = stats::running(x, foldwise::partial)'
refused 'partial_and_from_partials_are_options_of_reductions_alone<3, const foldwise::from_partials_t' 'stats::rel_diff(x, x, foldwise::from_partials)'
refused 'an_argument_is_no_output_or_axes_or_option<3, foldwise::shape' 'stats::sum(x, out, foldwise::shape{3})'
identity=an_identity_is_part_of_the_spec_and_calls_of_folds_take_foldwise_initial
refused "$identity<2, foldwise::detail::identity_part<int>" 'float s = stats::sum(x, foldwise::identity(0))'
refused "$identity<3, const foldwise::detail::lowest_part" 'stats::running(x, out, foldwise::lowest)'
refused 'a_part_of_the_spec_is_no_argument_of_calls<2, const foldwise::detail::no_identity_part' 'auto z = stats::blurred(x, foldwise::no_identity)'
optional=an_optional_may_have_no_value_so_pass_what_it_holds
refused "$optional<2, std::optional<float>" 'stats::rel_diff(x, std::optional<float>(1.0f), out)'
refused "$optional<2, std::optional<float>" 'float s = stats::sum(x, std::optional<float>(1.0f))'
refused "$optional<1, std::optional<std::vector" 'std::optional<std::vector<float>> o; float s = stats::sum(o)'
refused "$optional<4, std::optional<int>" 'std::optional<int> o; stats::twice(3, x, out, o)'
refused 'the_first_argument_is_not_a_shape<1, int' 'stats::count(3)'
refused 'the_number_of_arguments_is_wrong<0, ' 'stats::count()'
refused 'an_input_has_elements_of_another_type<2, ' 'stats::weigh(foldwise::shape{3, 4}, whole)'
refused 'an_axis_is_given_as_foldwise_axis<3, ' 'stats::weigh(foldwise::shape{3, 4}, x, 5)'
refused 'the_first_argument_is_not_a_number_of_tasks<1, ' 'stats::twice(std::string(), x, out, 2)'
refused 'a_call_begins_with_the_number_of_tasks_alone_without_blocks_and_threads<2, int' 'stats::twice(4, 256, x, out, 2)'
refused 'a_call_begins_with_the_number_of_tasks_alone_without_blocks_and_threads<2, int' 'stats::twice(4, 256, x, out, 2, foldwise::cpu())'
refused 'the_first_argument_is_not_a_shape<1, int' 'float s = stats::weigh(100, 2.0f)'
refused 'the_first_argument_is_not_a_shape<1, int' 'float s = stats::weigh(100, 2.0f, foldwise::cpu())'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, ' 'stats::heat(10, 10, x, out)'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, ' 'stats::heat(10, 10, x, out, foldwise::cpu())'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, ' 'stats::heat(20, x, out)'
refused 'the_number_of_tasks_or_their_foldwise_shape_comes_first<1, ' 'stats::heat(x, out)'
refused 'the_number_of_tasks_or_their_foldwise_shape_comes_first<1, ' 'stats::twice(x, out, 2, foldwise::cpu())'
refused 'an_axis_is_given_as_foldwise_axis<2, ' 'auto s = stats::sum(x, 1)'
refused 'an_axis_is_given_as_foldwise_axis<3, ' 'stats::sum(x, out, 1)'
refused 'a_whole_array_has_elements_of_another_type<2, std::vector<int' 'auto z = stats::look_up(whole, whole)'
refused 'a_whole_array_is_no_range<2, float' 'auto z = stats::look_up(whole, 1.0f)'
refused 'elements_of_a_container_are_not_contiguous<2, ' 'auto z = stats::look_up(whole, std::deque<float>(3))'
refused 'the_first_argument_is_not_a_shape<1, ' 'auto z = stats::reversed(x)'
refused 'an_argument_does_not_convert_to_the_value_of_a_task<4, ' 'stats::twice(3, x, out, std::string())'
refused 'an_input_has_elements_of_another_type<2, std::vector<int' 'stats::twice(3, whole, out, 2)'

# With an argument too many: what is wrong with an earlier one comes first.
refused 'an_input_is_neither_a_range_nor_a_value_that_converts<2, float' 'stats::normalised(x, 0.1f, 0.2f, out)'
refused 'an_input_has_elements_of_another_type<1, std::vector<int' 'stats::rel_diff(whole, x, out, 3)'
refused 'the_number_of_arguments_is_wrong<4, ' 'stats::rel_diff(x, x, out, out)'
refused 'a_single_result_is_returned_and_an_initial_value_is_given_as_foldwise_initial<2, float' 'float s = 0; stats::sum(x, s)'
refused 'an_initial_value_is_given_as_foldwise_initial<2, float' 'auto s = stats::sum(x, 3.0f)'
refused 'an_initial_value_has_the_type_of_the_accumulator<2, foldwise::initial_value<double>' 'auto s = stats::moments(x, foldwise::initial(3.0))'
refused 'an_initial_value_has_the_type_of_the_accumulator<3, foldwise::initial_value<stats::moments_of>' 'stats::running(x, out, foldwise::initial(stats::moments_of{}))'

iterator=an_iterator_has_no_size_so_pass_the_container_or_foldwise_host_or_device
refused "$iterator<1, " 'stats::rel_diff(x.begin(), x.end(), x.begin(), out.begin())'
refused "$iterator<3, " 'stats::rel_diff(x, x, out.begin())'
refused "$iterator<1, " 'float s = stats::sum(x.begin(), x.end(), 0.0f)'
refused "$iterator<2, " 'stats::running(x, std::back_inserter(out))'
refused "$iterator<1, " 'stats::twice(x.begin(), x.size(), x, out)'
policy=a_policy_is_an_executor_such_as_foldwise_cuda_at_the_end_of_the_call
refused "$policy<1, " 'stats::rel_diff(thrust_like::par, x, x, out)'
refused "$policy<1, " 'float s = stats::sum(thrust_like::policy(), x)'
refused "$policy<4, " 'stats::rel_diff(x, x, out, thrust_like::par)'
refused 'an_executor_is_the_last_argument<1, ' 'stats::rel_diff(foldwise::cpu(), x, x, out)'
refused 'an_executor_is_the_last_argument<1, ' 'float s = stats::sum(foldwise::cpu(), x)'
refused 'an_executor_is_the_last_argument<1, ' 'stats::twice(foldwise::cpu(), 3, x, out, 2)'
refused 'an_executor_is_the_last_argument<3, ' 'stats::rel_diff(x, x, foldwise::cpu(), out)'
refused 'an_option_comes_behind_the_arrays<1, ' 'stats::running(foldwise::by_key(whole), x, out)'
refused 'an_option_comes_behind_the_arrays<1, ' 'auto s = stats::sum(foldwise::axis(0), x)'
refused 'a_function_is_part_of_the_spec_and_no_argument_of_calls<4, ' 'stats::rel_diff(x, x, out, [](float v) { return v; })'
refused 'a_function_is_part_of_the_spec_and_no_argument_of_calls<4, ' 'stats::rel_diff(x, x, out, std::plus<float>())'
function=a_function_is_part_of_the_spec_and_no_argument_of_calls
refused "$function<2, " 'float s = stats::sum(x, [](float a, float b) { return a + b; })'
refused "$function<3, " 'stats::running(x, out, std::plus<>())'
refused "$function<2, " 'stats::normalised(x, [](float v) { return v; }, out)'
refused 'an_input_has_elements_of_another_type<1, ' 'stats::normalised(wide, stats::normaliser{1, 2}, out)'
refused 'an_initial_value_is_given_as_foldwise_initial<2, float' 'float s = stats::sum(x, 0.0f)'
# As Thrust's and the standard library's folds are called.
begin=the_function_is_part_of_the_spec_and_an_initial_value_is_given_as_foldwise_initial
refused "$begin<3, int" 'stats::running(x, out, 0, std::plus<>{})'
refused "$begin<3, std::plus<void>" 'stats::running(x, out, std::plus<>{}, 0)'
refused "$begin<3, float" 'stats::running(x, out, 0.0f, [](float a, float b) { return a + b; }, foldwise::cpu())'
refused "$begin<2, float" 'float s = stats::sum(x, 0.0f, std::plus<>())'
refused "$begin<2, int" 'auto s = stats::sum(x, 0, std::plus<>())'
refused 'an_input_has_elements_of_another_type<1, std::vector<int' 'float s = stats::sum(whole, 0, std::plus<>())'
refused "$function<3, " 'stats::running(x, out, std::plus<>{}, foldwise::initial(0))'
refused "$function<2, " 'float s = stats::sum(1.0f, std::plus<>())'
refused 'an_initial_value_is_given_as_foldwise_initial<3, double' 'stats::running(x, out, 5.0)'
refused 'an_initial_value_is_given_as_foldwise_initial<4, float' 'stats::running(x, out, foldwise::exclusive, 5.0f)'
refused 'the_shape_of_a_new_output_is_given_as_foldwise_shape<2, int' 'auto c = stats::histogram(std::vector<std::uint8_t>(3), 256)'
refused 'the_first_argument_is_not_a_shape<1, int' 'auto z = stats::ramp(10, 1.0f)'

executor=an_executor_is_made_by_foldwise_cpu_or_cuda_or_automatic
refused "$executor<3, " 'auto z = stats::rel_diff(x, x, "cuda")'
refused "$executor<4, " 'stats::rel_diff(x, x, out, "cuda")'
refused "$executor<3, " 'auto z = stats::rel_diff(x, x, foldwise::cpu)'
refused "$executor<2, " 'auto z = stats::running(x, "cpu")'
refused "$executor<3, " 'stats::running(x, out, "cpu")'
refused "$executor<3, " 'const std::string where = "cpu"; stats::running(x, out, where)'
refused "$executor<4, " 'stats::rel_diff(x, x, out, std::string("cpu"))'
refused "$executor<2, " 'auto z = stats::split(x, "cpu")'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, std::tuple<int' 'stats::heat(std::tuple{3, 4}, x, out)'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, std::pair<int' 'stats::heat(std::pair{3, 4}, x, out)'
refused 'the_first_argument_is_not_a_number_of_tasks<1, std::tuple<int' 'stats::twice(std::tuple{3}, x, out, 2)'
refused 'a_view_of_a_task_is_given_an_array_and_no_single_value<2, float' 'stats::twice(3, 1.0f, out, 2)'
refused 'a_view_of_a_task_is_given_an_array_and_no_single_value<3, int' 'stats::twice(3, x, 0, 2)'
axis=the_axis_is_an_option_of_reductions_and_scans_alone
refused "$axis<2, " 'auto z = stats::scaled_rows(x, foldwise::axis(0))'
refused "$axis<2, " 'auto z = stats::split(x, foldwise::axis(0))'
refused "$axis<2, " 'auto z = stats::split(x, foldwise::axis(0), foldwise::cpu())'
refused "$axis<4, " 'stats::rel_diff(x, x, out, foldwise::axis(0), foldwise::cpu())'
refused 'the_number_of_steps_is_given_as_foldwise_steps<2, int' 'auto z = stats::blurred(x, 10)'
refused 'the_number_of_steps_is_given_as_foldwise_steps<3, int' 'stats::blurred(x, out, 10)'
refused 'only_the_outputs_say_what_shape_results_have_so_pass_them<1, ' 'stats::inner(x)'
refused 'only_the_outputs_say_what_shape_results_have_so_pass_them<1, ' 'auto z = stats::pooled(x)'
refused 'behind_the_inputs_comes_an_output_or_the_foldwise_shape_of_a_new_one<1, ' 'auto c = stats::histogram(std::vector<std::uint8_t>(3))'

list=write_std_vector_or_its_type_before_a_list_in_braces_and_parentheses_behind_functions_and_no_unknown_class
refused "$list" 'auto z = stats::normalised(x, {1, 2})'
refused "$list" 'auto z = stats::rel_diff({1, 2, 3}, 2.0f)'
refused "$list" 'auto z = stats::rel_diff({1, 2, 3}, {1.5, 2, 3})'
refused "$list" 'stats::rel_diff(x, {1.0f, 2.0f, 3.0f}, out, foldwise::cpu())'
refused "$list" 'float s = stats::sum({{1, 2}, {3, 4}})'
refused "$list" 'auto s = stats::sum({1, 2}, foldwise::axis(0), foldwise::keepdims)'
refused "$list" 'stats::running({1, 2, 3}, out)'
refused "$list" 'auto z = stats::look_up(1, {1.0f, 2.0f})'
refused "$list" 'stats::twice(3, {1.0f, 2.0f}, out, 2, foldwise::cpu())'
refused "$list" 'auto z = stats::blurred({1, 2, 3})'
refused "$list" 'auto z = stats::normalised({1, 2, 3}, stats::normaliser{1, 2})'
refused 'the_arguments_select_the_signature_and_no_template_arguments<float' 'auto z = stats::rel_diff<float>(x, x)'
refused "$list" 'struct unknown_class { int n; } unknown{}; auto z = stats::rel_diff(x, unknown)'
refused "$list" 'auto s = stats::sum(x, foldwise::axis)'
refused "$list" 'float s = stats::sum(x, foldwise::initial)'
refused "$list" 'auto s = stats::sum(x, foldwise::segments)'
refused "$list" 'auto z = stats::running(x, foldwise::by_key)'
refused "$list" 'stats::running(x, out, foldwise::axis)'
refused "$list" 'auto z = stats::rel_diff(x, x, foldwise::cuda)'
refused "$list" 'stats::twice(3, x, out, 2, foldwise::cuda)'
steps=foldwise_steps_come_behind_the_outputs_or_the_inputs_alone
refused "$steps<2, " 'auto z = stats::heated(x, foldwise::steps(3), 0.1f)'
refused "$steps<1, " 'stats::blurred(foldwise::steps(3), x, out)'
refused "$steps<2, " 'stats::blurred(x, foldwise::steps(3), out)'
refused 'a_whole_array_has_elements_of_another_type<1, std::vector<int' 'auto z = stats::blurred(whole, foldwise::steps(3))'
refused 'an_output_is_const<2, ' 'stats::blurred(x, fixed, foldwise::steps(3), foldwise::cpu())'
accepted 'auto z = stats::heated(x, 0.1f, foldwise::steps(3)); stats::heated(x, 0.1f, out, foldwise::steps(3), foldwise::cpu()); z = stats::blurred(x, foldwise::steps(3), foldwise::cpu())'
shape=a_foldwise_shape_comes_first_and_where_the_lambda_takes_an_index
refused "$shape<2, foldwise::shape" 'auto z = stats::ramp(0.5f, foldwise::shape{10})'
refused "$shape<1, foldwise::shape" 'float s = stats::sum(foldwise::shape{10})'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, int' 'auto z = stats::checkers(3, 3)'
refused 'the_extents_of_several_axes_are_given_as_a_foldwise_shape<1, int' 'auto z = stats::checkers(3, 3, foldwise::cpu())'
refused 'the_first_argument_is_not_a_shape<1, int' 'auto z = stats::checkers(9)'
accepted 'auto z = stats::checkers({3, 3}); stats::checkers(out); auto y = stats::checkers(foldwise::shape{3, 3}, foldwise::cpu())'
refused 'a_call_begins_with_the_number_of_tasks_alone_without_blocks_and_threads<2, foldwise::shape' 'stats::heat(foldwise::shape{1, 1}, foldwise::shape{32, 32}, x, out)'
rows=rows_of_their_own_are_no_matrix_so_hold_one_block_and_pass_foldwise_host_with_a_shape
refused "$rows<1, " 'std::vector<std::vector<float>> m; float s = stats::sum(m)'
refused "$rows<1, " 'std::vector<std::vector<float>> m; auto z = stats::blurred(m)'
refused "$rows<2, " 'std::vector<std::vector<float>> m; stats::running(x, m)'
refused "$rows<2, " 'std::deque<std::vector<float>> m; stats::twice(3, m, out, 2)'
refused 'an_input_has_elements_of_another_type<2, std::vector<std::' 'std::vector<std::string> names; auto z = stats::rel_diff(x, names)'
refused 'an_input_has_elements_of_another_type<1, std::vector<std::array' 'std::vector<std::array<float, 2>> rows; auto z = stats::squared(rows)'
accepted 'float table[2][3]{}; float s = stats::sum(table)'
# Single values select the signature of a reduction as they do elsewhere.
accepted 'float a = stats::sum(1.0f); double b = stats::sum(1.0); stats::sum(1.0f, out); static_assert(std::is_same_v<decltype(stats::sum(1)), double> && std::is_same_v<decltype(stats::sum(1.0f, foldwise::initial(2), foldwise::cpu())), float> && std::is_same_v<decltype(stats::sum(1.0f, foldwise::axis(0))), foldwise::array<float>>)'
output=an_output_stands_in_front_of_the_axes_and_options
refused "$output<3, " 'stats::sum(x, foldwise::axis(0), out)'
refused "$output<3, " 'stats::running(x, foldwise::exclusive, out)'
refused "$output<3, " 'stats::sum(x, x, out)'
refused 'the_axis_is_an_option_of_reductions_and_scans_alone<4, ' 'stats::rel_diff(x, x, out, foldwise::axis(0))'
keys=keys_and_offsets_are_given_as_foldwise_by_key_and_segments
refused "$keys<3, " 'stats::running(x, out, whole)'
refused "$keys<3, " 'stats::sum(x, out, whole)'
accepted 'auto z = stats::ramp({3, 4}, 2.0f); int n = stats::count({3, 4}); auto c = stats::count({3, 4}, foldwise::axis(0)); stats::weigh({3, 4}, x, out, foldwise::axis(0)); stats::heat({3, 4}, x, out); stats::twice({3}, x, out, 2); auto h = stats::histogram(std::vector<std::uint8_t>(3), {4})'

# What is done with the result of a mistaken call is no mistake of its own.
other=an_input_has_elements_of_another_type
refused "$other<1, std::vector<int" 'std::cout << stats::sum(whole)'
refused "$other<1, std::vector<int" 'std::cout << stats::rel_diff(whole, x).to_host()[0]'
refused "$other<1, std::vector<int" 'auto z = stats::rel_diff(whole, x); std::vector<float> h = z.to_host(); stats::rel_diff(z, x, out); float s = stats::sum(z)'
refused "$other<1, std::vector<int" 'auto z = stats::rel_diff(whole, x); for (float v : z) out.push_back(v)'
refused "$other<1, std::vector<int" 'auto z = stats::rel_diff(whole, x).reshape({3, 1}).slice(0, 1, 2).transpose()'
refused "$other<1, std::vector<int" 'float s = 2 * stats::sum(whole) / 3 - 1'
refused "$other<1, std::vector<int" 'if (stats::sum(whole) > 2) x[0] = 1'
refused "$other<1, std::vector<int" 'float v = stats::rel_diff(whole, x)[0] + x[0]'
refused "$other<1, std::vector<int" 'float v = 1 + stats::rel_diff(whole, x)(0, 1)'
refused "$other<1, std::vector<int" 'auto [a, b] = stats::split(whole); float v = a[0] + b[0]'
refused "$other<1, std::vector<int" 'auto a = std::get<0>(stats::split(whole))'
refused "$other<1, std::vector<int" 'foldwise::array<float> c, d; std::tie(c, d) = stats::split(whole)'
refused "$other<1, std::vector<int" 'float m = std::max(stats::sum(whole), 0.0f)'
refused "$other<1, std::vector<int" 'float m = 1 + std::sqrt(stats::sum(whole))'
refused "$other<1, std::vector<int" 'float m = stats::moments(whole).mean'
refused "$other<1, std::vector<int" 'auto [mean, count] = stats::moments(whole)'
refused "$other<1, std::vector<int" 'auto n = stats::moments(whole, foldwise::axis(0))[0].count'
refused "$other<1, std::vector<int" 'std::string s = std::to_string(stats::sum(whole))'
refused "$other<1, std::vector<int" 'x[0] *= stats::sum(whole)'
refused "$other<1, std::vector<int" 'std::printf("%g", stats::sum(whole))'
refused "$other<1, std::vector<int" 'auto v = foldwise::to_host(stats::rel_diff(whole, x))'
refused "$other<1, std::vector<int" 'std::vector w = to_host(stats::rel_diff(whole, x))'
refused "$other<1, std::vector<int" 'x = stats::rel_diff(whole, x).to_host()'
refused "$other<1, std::vector<int" 'auto a = foldwise::to_device(stats::rel_diff(whole, x))'
refused "$other<1, std::vector<int" 'foldwise::copy(stats::rel_diff(whole, x), out)'
refused "$other<1, std::vector<int" 'auto z = stats::rel_diff(whole, x); z.fill(0); std::vector<double> d(z.begin(), z.end()); const int rows = z.shape()[0] + z.size() * 2; z = stats::rel_diff(x, x)'
refused "$other<1, std::vector<int" 'std::vector<foldwise::array<float>> all; all.push_back(stats::rel_diff(whole, x))'
refused "$other<1, std::vector<int" 'std::vector<foldwise::array<float>> all; all.emplace_back(stats::rel_diff(whole, x))'
refused "$other<1, std::vector<int" 'auto z = stats::scaled_rows(whole); auto b = stats::blurred(z); float s = std::min(stats::sum(stats::running(b)), 1.0f)'
refused 'a_whole_array_has_elements_of_another_type<1, std::vector<int' 'float s = std::min(stats::sum(stats::running(stats::blurred(whole))), 1.0f)'
refused "$other<1, std::vector<int" 'float s = std::min(stats::sum(stats::running(whole)), 1.0f)'
refused 'the_first_argument_is_not_a_shape<1, int' 'x[stats::count(3)] = 1'
refused 'the_shape_of_a_new_output_is_given_as_foldwise_shape<2, int' 'std::vector<int> c = stats::histogram(std::vector<std::uint8_t>(3), 256).to_host()'
refused "$list" 'auto [a, b] = stats::split({1, 2}); float v = a[0] + foldwise::to_host(b)[0]'
# Where signatures differ and no argument tells them apart, the result acts as anything.
refused "$other<1, std::" 'foldwise::array<double> b = stats::rel_diff(std::string("text"), std::string("text"))'
refused "$other<1, std::" 'auto z = stats::rel_diff(std::string("text"), std::string("text")); foldwise::array<float> a = std::move(z); z.fill(0); auto h = foldwise::to_host(z); auto d = foldwise::to_device(z); x[0] += z[0]; x[0] = -z[1]'
refused "$other<1, std::" 'auto z = stats::rel_diff(std::string("text"), std::string("text")); float f = z.empty() ? z.front() : z.back()'

# The type of a call says whether it is possible.
accepted 'static_assert(foldwise::is_result<decltype(stats::sum(x))> && foldwise::is_result<decltype(stats::rel_diff(x, x, out))> && !foldwise::is_result<decltype(stats::sum(whole))> && !foldwise::is_result<decltype(stats::rel_diff({1, 2}, x))> && !foldwise::is_result<decltype(stats::split(whole))>)'

accepted 'float s = stats::sum(stats::sum(x, foldwise::partial, foldwise::axis(0)), foldwise::from_partials)'
accepted 'auto z = stats::scaled_rows(x); auto b = stats::blurred(x, foldwise::steps(10)); stats::inner(x, out); stats::pooled(x, out)'
accepted 'stats::rel_diff(x, 1, out); stats::rel_diff(x, fixed, out, foldwise::cpu()); auto z = stats::rel_diff(x, x, {})'
accepted 'float a = stats::rel_diff(1.0f, 2.0f); static_assert(std::is_same_v<decltype(stats::rel_diff(1, 2)), double>)'
accepted 'auto [a, b] = stats::split(1.0f); auto [c, d] = stats::split(x); auto z = stats::ramp(foldwise::shape{3}, 2)'
accepted 'float a = stats::sum(x, foldwise::initial(1)); stats::sum(x, out, foldwise::axis(0), foldwise::keepdims)'
accepted 'int n = stats::count(foldwise::shape{3}); float f = stats::weigh(foldwise::shape{3, 4}, 1.0f, foldwise::cpu()); stats::weigh(foldwise::shape{3, 4}, x, out, foldwise::axis(0)); auto c = stats::count(foldwise::shape{3}, foldwise::axis(0), foldwise::keepdims)'
accepted 'auto z = stats::look_up(whole, fixed); float a = stats::look_up(1, x); auto r = stats::reversed(foldwise::shape{3}, x); stats::reversed(x, out)'
accepted 'stats::twice(x.size(), x, out, 2); stats::twice(3, x, std::span(out), 2, foldwise::cpu())'
accepted 'stats::normalised(x, stats::normaliser{1, 2}, out); stats::running(x, out); auto c = stats::histogram(std::vector<std::uint8_t>(3), foldwise::shape{4})'
accepted 'stats::running(x, out, foldwise::initial(1), foldwise::cpu()); float s = stats::sum(x, foldwise::cpu(), foldwise::initial(1.0f))'

deleted 'keys: a range of integers, bool or an enumeration' 'foldwise::by_key(x)'
deleted 'keys: a range of integers, bool or an enumeration' 'foldwise::by_key(whole.begin())'
deleted 'offsets: a range of 32- or 64-bit integers' 'foldwise::segments(std::vector<short>(2))'
deleted 'write copy(from, to) with ranges' 'foldwise::copy(x.begin(), x.end(), out.begin())'
deleted 'write copy(from, to) with ranges' 'foldwise::copy(pointer, pointer + 3, out.data())'
written 'copy(from, to) with elements of one type' 'foldwise::copy(wide, x)'
written 'copy(from, to) with a variable as `to` that is not const' 'foldwise::copy(x, fixed)'
written 'copy(from, to) with a variable as `to` that is not const' 'foldwise::copy(x, std::vector<float>(3))'
deleted 'to_device(range)' 'foldwise::array<float> a(x)'
deleted 'to_device(range)' 'foldwise::array<float> a(x.begin(), x.end())'
deleted 'to_device(range)' 'foldwise::array<float> a; a = x'
deleted 'to_device(range)' 'auto a = foldwise::to_device(x.begin(), x.end())'
deleted 'to_device(range, cuda(stream))' 'auto a = foldwise::to_device(x, stream)'
deleted 'to_device(host(pointer, count))' 'auto a = foldwise::to_device(pointer, 3)'
deleted 'to_device(host(pointer, count))' 'auto a = foldwise::to_device(pointer)'
deleted 'copy(from, host(pointer, count))' 'foldwise::array<float> a(3); foldwise::copy(a, out.data())'
deleted 'axis(0, 1)' 'auto s = stats::sum(x, foldwise::axis({0, 1}))'
elements='to_device({1.0f, 2.0f}), array<T>({rows, columns}), or full(count, value)'
deleted "$elements" 'foldwise::array<float> a(10, 0.0f)'
deleted "$elements" 'foldwise::array<int> a(10, 1)'
deleted "$elements" 'foldwise::array<float> a(2, 3)'
deleted "$elements" 'foldwise::array<float> a(2, 3, foldwise::cpu())'
deleted "$elements" 'foldwise::array<float> a{1, 2, 3}'
deleted "$elements" 'foldwise::array<int> a = {1, 2, 3}'
deleted "$elements" 'foldwise::array<float> a{1.0f, 2.0f, 3.0f}'
deleted "$elements" 'foldwise::array<stats::normaliser> a{stats::normaliser{}, stats::normaliser{}}'
deleted 'to_device({1.0f})' 'foldwise::array<float> a{1.0f}'
deleted 'to_device(host(pointer, count))' 'foldwise::array<float> a(pointer, 3)'
deleted 'to_device(host(pointer, shape))' 'foldwise::array<float> a(pointer, {3, 4})'
deleted 'to_device(std::vector{1, 2, 3})' 'foldwise::array a{1, 2, 3}'
deleted 'to_device(std::vector{1, 2, 3})' 'foldwise::array a{1.0f, 2.0f}'
deleted 'host(pointer, count or shape)' 'stats::rel_diff(foldwise::host(pointer), x, out)'
deleted 'device(pointer, count or shape)' 'stats::rel_diff(foldwise::device(pointer), x, out)'
deleted 'device(pointer, count or shape)' 'auto v = foldwise::device(std::unique_ptr<float[]>())'
deleted 'host(pointer, count or shape)' 'stats::rel_diff(foldwise::host(pointer, pointer + 3), x, out)'
deleted 'device(pointer, count or shape)' 'stats::rel_diff(foldwise::device(pointer, pointer + 3), x, out)'
deleted 'host(pointer, {rows, columns})' 'auto v = foldwise::host(pointer, 2, 3)'
deleted 'device(pointer, {rows, columns})' 'auto v = foldwise::device(pointer, 2, 3)'
deleted 'device(pointer, {rows, columns})' 'auto v = foldwise::device(std::unique_ptr<float[]>(), 2, 3, 4)'
deleted 'view(pointer, {rows, columns})' 'foldwise::view v(pointer, 2, 3)'
deleted 'view(pointer, {rows, columns})' 'foldwise::view<float> v(pointer, 2, 3)'
deleted 'to_host()' 'std::vector<float> r = stats::rel_diff(x, x)'
deleted 'to_host()' 'x = stats::rel_diff(x, x)'
deleted 'to_host()' 'foldwise::array<float> a(3); std::vector<float> r(a)'
deleted 'slice(axis, begin, end)' 'foldwise::array<float> a(3); auto v = a.slice(0, 3)'
deleted 'to_host(view)' 'auto first = foldwise::host(pointer, 3).begin()'
deleted 'to_host(view)[i]' 'foldwise::host(x)[1] = 3'
deleted 'to_host(view)[i]' 'auto v = foldwise::host(x, {3, 1}); float f = v[0][1] + 1'
deleted 'to_host(view.slice(0, 0, 1))[0]' 'float f = foldwise::host(x).front()'
deleted 'to_host(view.slice(0, n - 1, n))[0]' 'float f = foldwise::host(x).back()'
deleted 'size() == 0' 'if (foldwise::host(x).empty()) return'
deleted 'to_host(x.slice(0, 0, 1))[0], or x[0] of an array on the host' 'float f = stats::rel_diff(x, x).front()'
deleted 'to_host(x.slice(0, n - 1, n))[0], or x[n - 1] of an array on the host' 'foldwise::array<float> a(3); a.back() += 1'
deleted 'size() == 0' 'if (stats::rel_diff(x, x).empty()) return'
accepted 'foldwise::array<float> a(3); float f = a.to_host().front() + a.to_host().back(); if (std::ranges::empty(a)) return'
unprinted 'each element of to_host(view)' 'std::cout << foldwise::host(x)'
deleted 'auto, or view<const T> if it is only read' 'foldwise::view<float> w = foldwise::host(fixed)'
deleted "auto: results have the kernel's type" 'foldwise::array<double> z = stats::rel_diff(x, x)'
accepted 'struct kept { foldwise::view<float> seen; } k; k.seen = foldwise::host(x); foldwise::view<const float> read = k.seen; read = foldwise::view<float>()'
deleted 'slice(axis, begin, end)' 'auto v = foldwise::host(pointer, 3).slice(2)'
deleted 'host(range), or host(range, {rows, columns})' 'foldwise::view<const float> v(x)'
deleted 'host(range), or host(range, {rows, columns})' 'auto f = [](foldwise::view<const float>) {}; f(x)'
deleted 'host(range), or host(range, {rows, columns})' 'float row[3]{}; foldwise::view<float> v = row'
accepted 'auto f = [](foldwise::view<const float> v) { return v.size(); }; f(foldwise::host(x)); f(foldwise::array<float>(3))'
unavailable 'write keepdims without parentheses' 'stats::sum(x, out, foldwise::axis(0), foldwise::keepdims())'
unavailable 'write keepdims without parentheses' 'auto s = stats::sum(x, foldwise::axis(0), foldwise::keepdims(true))'
unavailable 'write partial without parentheses' 'float s = stats::sum(x, foldwise::partial())'
unavailable 'write from_partials without parentheses' 'float s = stats::sum(x, foldwise::from_partials())'
unavailable 'write exclusive, and initial(value) beside it' 'stats::running(x, out, foldwise::exclusive(0.0f))'
unavailable 'write reverse without parentheses' 'stats::running(x, out, foldwise::reverse())'
written 'zeros<T>({rows, columns}), with the shape in braces' 'auto a = foldwise::zeros<float>(2, 3)'
written 'zeros<T>({rows, columns}), with the shape in braces' 'auto a = foldwise::zeros<float>(2, 3, 4)'
written 'zeros<T>({rows, columns}), with the shape in braces' 'auto a = foldwise::zeros<float>(2, 3, foldwise::cpu())'
written 'zeros<float>(count) or zeros<float>({rows, columns}), with the type' 'auto a = foldwise::zeros(3)'
written 'zeros<float>(count) or zeros<float>({rows, columns}), with the type' 'auto a = foldwise::zeros(2, 3)'
written 'zeros<float>({rows, columns}), with the type' 'auto a = foldwise::zeros({2, 3})'
written 'zeros<float>({rows, columns}), with the type' 'auto a = foldwise::zeros(foldwise::shape{2, 3}, foldwise::cpu())'
written 'zeros<float>(x.shape()) or zeros<float>(x.size())' 'auto a = foldwise::zeros(x)'
written 'zeros<T>(x.shape()) or zeros<T>(x.size())' 'auto a = foldwise::zeros<float>(x)'
written 'zeros<T>(x.shape()) or zeros<T>(x.size())' 'foldwise::array<int> b; auto a = foldwise::zeros<float>(b, foldwise::cpu())'
written 'zeros<T>(count, executor), with an executor' 'auto a = foldwise::zeros<float>(3, stream)'
written 'zeros<T>({rows, columns}, executor), with an executor' 'auto a = foldwise::zeros<float>({2, 3}, "cuda")'
written 'full(count, value)' 'auto a = foldwise::full(3)'
written 'full(count, value)' 'auto a = foldwise::full<float>(3)'
written 'full(count, value): how many' 'auto a = foldwise::full(1.0f, 3)'
written 'full({rows, columns}, value)' 'auto a = foldwise::full<float>({2, 3})'
written 'full({rows, columns}, value), with the shape in braces' 'auto a = foldwise::full(2, 3, 1.0f)'
written 'full(x.shape(), value), or full(x.size(), value)' 'auto a = foldwise::full(x, 1.0f)'
written 'full(count, value, executor), with an executor' 'auto a = foldwise::full(3, 1.0f, stream)'
written 'full({rows, columns}, value, executor), with an executor' 'auto a = foldwise::full({2, 3}, 1.0f, "cuda")'
written 'zeros<T>(x.shape())' 'auto a = foldwise::zeros_like(x)'
written 'full(x.shape(), T{1})' 'auto a = foldwise::ones_like(x)'
written 'full(x.shape(), value)' 'auto a = foldwise::full_like(x, 1.0f)'
written 'array<T>(x.shape())' 'auto a = foldwise::empty_like(x)'
written 'full({rows, columns}, 1.0f), or full(count, 1.0f)' 'auto a = foldwise::ones(3)'
written 'full({rows, columns}, 1.0f), or full(count, 1.0f)' 'auto a = foldwise::ones<float>({2, 3}, foldwise::cpu())'
written 'a kernel of an index' 'auto a = foldwise::arange(10)'
written 'a kernel of an index' 'auto a = foldwise::linspace(0, 1, 10).to_host()'
written 'to_host(), which waits' 'foldwise::synchronize()'
spec='this in a spec, a file such as my.kernels.cpp'
written "$spec" 'auto f = foldwise::vectorize([](float a) { return a; }); auto z = f(x); f(x, out)'
written "$spec" 'auto f = foldwise::vectorize<float(float), double(double)>([](auto a) { return a; }); float z = f(1.0f)'
written "$spec" 'auto s = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0)); float f = s(x)'
written "$spec" 'float s = foldwise::reduce(x, 0.0f, std::plus<>())'
written "$spec" 'foldwise::scan(x, out)'
written "$spec" 'auto b = foldwise::stencil([](auto a) { return a(-1); }, 1)'
written "$spec" 'auto h = foldwise::scatter<int(std::uint8_t)>([](int a, int b) { return a + b; }, foldwise::identity(0))'
written "$spec" 'auto g = foldwise::guvectorize("(n)->(n)", [](auto a, auto b) {})'
written "$spec" 'auto b = foldwise::blocks<32>([](auto b) {})'
written "$spec" 'auto f = foldwise::forall([](foldwise::index<1> i, auto a) { a[i] = 0; })'
written "$spec" 'foldwise::forall(3, [=](int i) { pointer[i] = 0; })'
accepted '} using namespace foldwise; double reduce(const own_of_user& a, double) { return 0; } void scan(foldwise::view<const float> a, foldwise::view<float> b) {} template <class R> void forall(const R& range, int n) {} void more(foldwise::array<float>& a, own_of_user u) { const int blocks = 3; double d = reduce(u, blocks); scan(a, a); forall(a, 3)'
accepted '} using namespace foldwise; double linspace(double first, double, long) { return first; } struct own {}; template <class T> T arange(const T& x) { return x; } void more() { double a = linspace(0, 1, 3); int b = arange(3); using namespace std; vector<float> v(3); fill(v.begin(), v.end(), 1.0f)'
accepted 'auto a = foldwise::full(3, 1.0f), b = foldwise::full<float>({2, 3}, 1), c = foldwise::full(x.size(), 2.0f, foldwise::cpu()); auto d = foldwise::full({2}, 3); auto e = foldwise::full(2, 3, foldwise::cpu()); auto f = foldwise::zeros<float>(a.shape(), {}), g = foldwise::zeros<float>({2, 3}, foldwise::cpu()), h = foldwise::zeros<float>(a.size())'
deleted 'reshape({rows, columns})' 'foldwise::array<float> a(6); a.reshape(2, 3)'
deleted 'reshape({rows, columns})' 'foldwise::host(x, {6}).reshape(6)'
unprinted 'each element of to_host()' 'std::cout << stats::rel_diff(x, x)'
unprinted 'to_string(extents)' 'std::cout << foldwise::shape{2, 3}'
accepted 'constexpr auto prints = []<class T>(std::type_identity<T>) { return requires(std::ostream& s, const T& t) { s << t; }; }; static_assert(!prints(std::type_identity<foldwise::view<float>>()) && !prints(std::type_identity<foldwise::array<float>>()) && !prints(std::type_identity<foldwise::shape>()))'
accepted 'std::cout << foldwise::to_string(foldwise::shape{2, 3}); foldwise::array<float> a(6); auto b = a.reshape({2, 3}), c = a.reshape(foldwise::shape{6}); auto z = foldwise::zeros<int>(3, foldwise::cpu())'
accepted 'foldwise::array<float> a = foldwise::to_device({1.0f, 2.0f}); if (a.size() != 2) return'
deleted 'to_device({1.0, 2.5}): one type' 'auto a = foldwise::to_device({1, 2.5, 3})'
deleted 'to_device({1.0, 2.5}): one type' 'foldwise::array<double> a = foldwise::to_device({1, 2.5f}, foldwise::cpu())'
deleted 'to_device({1, 2, 3, 4}).reshape({2, 2})' 'auto a = foldwise::to_device({{1, 2}, {3, 4}})'
deleted 'fill(value), with one value' 'foldwise::array<float> a(3); a.fill("a")'
deleted 'fill(value), with one value' 'foldwise::array<float> a(3); a.fill(x)'
accepted 'foldwise::array<float> a(3); a.fill(2); a.fill(foldwise::half(1.0f)); foldwise::array<stats::normaliser> b(3); b.fill({1, 2}); auto c = foldwise::to_device({2, 3}), d = foldwise::to_device({2, 3}, foldwise::cpu()); auto e = foldwise::to_device({true, false}); auto f = foldwise::to_device({stats::normaliser{1, 2}})'
accepted 'foldwise::view v(pointer, 3), w(pointer, {3, 4}); foldwise::view<float> u(pointer, 3), t(pointer, {3, 4})'
accepted 'std::vector<int> v{2, 3}; foldwise::shape s(v), t(std::array<std::size_t, 2>{2, 3}), u{s}, w(std::span<const std::int64_t>(s.begin(), 2))'
accepted 'float row[3]{}; foldwise::array<float> a(3); foldwise::copy(a, row); foldwise::copy(row, a); auto b = foldwise::to_device(row)'
accepted 'foldwise::array<float> a(3); a(0) = a(1); const auto& b = a; float s = b(2)'
accepted 'foldwise::array<float> a(3), b = std::move(a); std::vector<foldwise::array<float>> all; all.push_back(std::move(b)); all.emplace_back(foldwise::shape{2, 3}); struct holder { foldwise::array<float> one; } c{std::move(all[0])}, d = std::move(c); std::tuple<foldwise::array<float>, int> e(std::move(d.one), 1); static_assert(std::is_nothrow_move_constructible_v<foldwise::array<float>> && !std::is_copy_constructible_v<holder>)'
deleted 'array<float>(3)' 'foldwise::array a(3)'
deleted 'array<float>({2, 3})' 'foldwise::array a(foldwise::shape{2, 3})'
deleted 'to_device(range)' 'foldwise::array a(x)'
deleted 'to_device(std::vector{1, 2, 3}), or array<T>' 'foldwise::array a'
deleted 'array<T>(3, cuda(stream))' 'foldwise::array<float> a(3, stream)'
deleted 'array<T>({2, 3}, cuda(stream))' 'foldwise::array<float> a({2, 3}, stream)'
formula='a kernel of foldwise::vectorize'
deleted "$formula" 'foldwise::array<float> a; auto b = a + a'
deleted "$formula" 'foldwise::array<float> a; auto b = a - 1'
deleted "$formula" 'foldwise::array<float> a; auto b = 2 * a'
deleted "$formula" 'foldwise::array<float> a; auto b = foldwise::host(x, {3, 1}) / 2'
deleted "$formula" 'foldwise::array<float> a; auto b = -a'
deleted "$formula" 'foldwise::array<float> a; auto b = a > 0'
deleted 'a kernel, or to_host() of both' 'foldwise::array<float> a; auto b = a == a'
deleted 'a kernel, called as f(a, b, a)' 'foldwise::array<float> a; a += 1'
deleted 'a kernel, called as f(a, b, a)' 'foldwise::array<float> a; a.slice(0, 0, 2) *= a'
accepted 'auto a = stats::rel_diff(x, x); foldwise::array b = std::move(a), c(std::move(b)); foldwise::array d{stats::rel_diff(x, x)}; static_assert(std::is_same_v<decltype(d), foldwise::array<float>>)'
accepted 'foldwise::array<bool> a(3); foldwise::array<std::int64_t> b({3, 4}), c(3); foldwise::array<stats::normaliser> d(3), e({3, 4}, foldwise::cpu())'
accepted 'foldwise::array<float> a({2, 3}), b(foldwise::shape{2, 3}), c{foldwise::shape(2, 3)}, d{3}, e(3, foldwise::cpu())'
accepted 'foldwise::array<float> a; a = foldwise::array<float>({2, 3}); if (a.extent(1) != 3 || foldwise::host(pointer, 3).extent(0) != 3) return'
deleted 'to_device(a) or a.to(executor)' 'foldwise::array<float> a(3), b(a)'
deleted 'to_device(a) or a.to(executor)' 'const foldwise::array<float> a(3); auto b = a'
deleted "$elements" 'foldwise::array<float> a; a = {1, 2}'
accepted 'float table[2][3]{}; auto a = foldwise::to_device(table), b = foldwise::to_device(x, 0); auto v = foldwise::device(x), w = foldwise::device(std::span(x)), u = foldwise::host(table, {6}); float row[6]{}; auto r = foldwise::device(row), s = foldwise::device(row, {2, 3})'
accepted 'foldwise::by_key(whole); foldwise::segments(whole); foldwise::copy(x, out); foldwise::copy(foldwise::host(pointer, 3), foldwise::host(pointer, 3), stream)'
accepted 'foldwise::array<float> a({3, 4}), b(3), c({3, 4}, foldwise::cpu()), d(x.size(), foldwise::cpu()), e(3, {}), f{}; a = {}; b = foldwise::array<float>(3)'
accepted 'static_assert(!std::is_copy_constructible_v<foldwise::array<float>> && !std::is_constructible_v<foldwise::array<float>, std::vector<float>>)'

# A view of memory that is written as if it were a range, or rows with a pitch.
view_of_pointer='view(pointer, count or {rows, columns})'
deleted "$view_of_pointer" 'foldwise::view<float> v(pointer)'
deleted "$view_of_pointer" 'foldwise::view v(pointer)'
deleted "$view_of_pointer" 'foldwise::view<float> v = pointer'
deleted "$view_of_pointer" 'foldwise::view<const float> v(fixed.data())'
deleted "$view_of_pointer" 'auto f = [](foldwise::view<const float>) {}; f(pointer)'
deleted 'device(pointer, count or {rows, columns})' 'foldwise::view<float> v(std::unique_ptr<float[]>{})'
deleted 'device(pointer, count or {rows, columns})' 'foldwise::view v(std::unique_ptr<float[]>{})'
deleted 'device(pointer, {rows, columns})' 'foldwise::view<float> v(std::unique_ptr<float[]>{}, {3, 4})'
deleted 'device(range), or device(range, {rows, columns})' 'thrust_like::device_vector<float> d; foldwise::view<float> v(d)'
deleted 'device(range), or device(range, {rows, columns})' 'thrust_like::device_vector<float> d; foldwise::view v(d)'
deleted 'device(range), or device(range, {rows, columns})' 'thrust_like::device_vector<float> d; auto f = [](foldwise::view<const float>) {}; f(d)'
deleted 'host(range), or host(range, {rows, columns})' 'foldwise::view v(x)'
deleted 'host(range), or host(range, {rows, columns})' 'float row[3]{}; foldwise::view v(row)'
deleted 'host or device(pointer, shape, strides)' 'foldwise::view<float> v(pointer, {3, 4}, {x.size(), 1})'
deleted 'host or device(pointer, shape, strides)' 'foldwise::view v(pointer, {3, 4}, {4, 1})'
deleted 'host or device(pointer, shape, strides)' 'foldwise::view<float> v(pointer, {3, 4}, foldwise::strides{4, 1})'
accepted 'foldwise::view<float> v(pointer, {3, 4}, {foldwise::memory::cuda, 1}), w(pointer, {3, 4}, {}), u(pointer, 3, {foldwise::memory::cuda, 1}); foldwise::view c(v), d = w'
accepted 'thrust_like::device_vector<float> d; auto v = foldwise::device(d), w = foldwise::device(d, {3}); const auto f = [](foldwise::view<const float> a) { return a.size(); }; f(v); f(w); f(foldwise::array<float>(3))'

# An array made of a container without to_device(), or the other way round.
deleted 'to_device(range)' 'foldwise::array<float> a = x'
deleted 'to_device(range)' 'struct holder { foldwise::array<float> a; } h = {x}'
deleted 'to_device(range)' 'auto f = [](foldwise::array<float>) {}; f(x)'
deleted 'to_device(range)' 'thrust_like::device_vector<float> d; foldwise::array<float> a(d)'
deleted 'to_device(range)' 'thrust_like::device_vector<float> d; foldwise::array<float> a = d'
into_range='copy(a, range), or pass it to the call as its output'
deleted "$into_range" 'thrust_like::device_vector<float> d = stats::running(x)'
deleted "$into_range" 'foldwise::array<float> a; thrust_like::device_vector<float> d(a)'
deleted "$into_range" 'thrust_like::device_vector<float> d; d = stats::running(x)'
accepted 'thrust_like::device_vector<float> d; auto a = foldwise::to_device(d), b = foldwise::to_device(d, foldwise::cpu()), c = foldwise::to_device(d, 0); foldwise::copy(a, d); stats::running(d, d)'

# Elements of CUDA's and Thrust's types with the bits of the kernel's.
accepted 'thrust_like::device_vector<thrust::complex<float>> z; stats::squared(z, z); foldwise::array<std::complex<float>> a = stats::squared(z); foldwise::copy(a, z); foldwise::copy(z, a); std::vector<thrust::complex<float>> h(3); stats::squared(a, h)'
accepted 'thrust_like::device_vector<__half> z; stats::doubled(z, z); foldwise::array<foldwise::half> a = stats::doubled(z); foldwise::copy(a, z); thrust_like::device_vector<__nv_bfloat16> b; stats::tripled(b, b)'
refused "$other<1, std::vector<thrust::" 'std::vector<thrust::complex<double>> z; auto a = stats::squared(z)'
refused "$other<1, std::vector<others::complex<float>" 'std::vector<others::complex<float>> z; auto a = stats::squared(z)'
refused "$other<1, std::vector<__nv_bfloat16" 'std::vector<__nv_bfloat16> z; auto a = stats::doubled(z)'
refused 'an_output_is_const<2, ' 'std::vector<__half> z; const std::vector<__half> r; stats::doubled(z, r)'
refused 'an_output_has_elements_of_another_type<2, ' 'std::vector<__half> z; std::vector<__nv_bfloat16> r; stats::doubled(z, r)'

# host() and device() of something that has a shape already, of a part of a range, and without the braces of a shape.
for where in host device; do
  deleted 'x.reshape({rows, columns})' "foldwise::array<float> a(4); auto v = foldwise::$where(a, {2, 2})"
  deleted 'x.reshape({rows, columns})' "foldwise::view<float> a(pointer, 4); auto v = foldwise::$where(a, {2, 2})"
  deleted 'x.reshape({rows, columns})' "foldwise::array<float> a(4); auto v = foldwise::$where(a, 2, 2)"
  deleted "$where(range, {count}), or $where(range, {rows, columns})" "auto v = foldwise::$where(x, 3, 1)"
  deleted "$where(range, {count}), or $where(range, {rows, columns})" "auto v = foldwise::$where(x, x.size())"
  deleted "$where(range, {count}), or $where(range, {rows, columns})" "thrust_like::device_vector<float> d; auto v = foldwise::$where(d, 3, 1)"
  deleted "$where(range.data(), count or shape)" "auto v = foldwise::$where(x.begin(), 3)"
  deleted "$where(range.data(), count or shape)" "auto v = foldwise::$where(x.begin(), {3, 1})"
  deleted "$where(range.data(), count or shape)" "auto v = foldwise::$where(x.begin(), x.end())"
  deleted "$where(range.data(), {rows, columns}, {stride, 1})" "auto v = foldwise::$where(x, {3, 1}, {1, 1})"
done
deleted 'host(pointer.get(), shape)' 'std::unique_ptr<float[]> p; auto v = foldwise::host(p, {3, 1})'
deleted 'host(pointer.get(), count)' 'auto v = foldwise::host(std::make_unique<float[]>(3), 3)'
accepted 'std::unique_ptr<float[]> p; auto v = foldwise::host(p.get(), {3, 1}); auto w = foldwise::device(p, 3)'
deleted 'to_host(x), which copies' 'foldwise::array<float> a(4); auto v = foldwise::host(a)'
deleted 'x itself, or x.slice(axis, begin, end)' 'foldwise::array<float> a(4); auto v = foldwise::device(a)'
deleted 'device(range.data(), {rows, columns}, {stride, 1})' 'thrust_like::device_vector<float> d; auto v = foldwise::device(d, {3, 1}, {1, 1})'
accepted 'thrust_like::device_vector<float> d; auto v = foldwise::device(d.data(), {3, 1}, {1, 1}); float table[2][3]{}, row[3]{}; auto t = foldwise::host(table), r = foldwise::host(row), w = foldwise::host(x, {3, 1}), s = foldwise::host(x.data(), {3, 1}, {1, 1}); auto c = foldwise::host(fixed); static_assert(std::is_same_v<decltype(c), foldwise::view<const float>>)'

# A program's view has no number of axes; the declaration that is quoted says so.
unnumbered="auto v = foldwise::view<float, 1>(pointer, 3)"
for compiler in "${compilers[@]}"; do
  { echo '#include "before.hpp"' && called call.cpp call "$unnumbered"; } > call.cpp
  ! compiled "$compiler" call.cpp > log.txt || fail "$compiler accepts view<float, 1>"
  [[ $(grep -c ' error: ' log.txt) == 1 ]] && grep -qF 'a program writes view<T>' log.txt ||
    { cat log.txt >&2; fail "$compiler does not say what a program's view is"; }
done

# Since C++23 there may be several coordinates in brackets.
for compiler in "${compilers[@]}"; do
  printf '#include <foldwise/array.hpp>\nfloat call(foldwise::array<float>& a) { return a[0, 1] + a[2]; }\n' > call.cpp
  ! "$compiler" -std=c++23 -I"$SOURCE/runtime/include" -fsyntax-only call.cpp > log.txt 2>&1 ||
    fail "$compiler accepts a[0, 1]"
  [[ $(grep -c ' error: ' log.txt) == 1 ]] && grep -q 'error: static assertion failed.*: write x(i, j)' log.txt ||
    { cat log.txt >&2; fail "$compiler does not say what to write for a[0, 1]"; }
done

# In a program that includes foldwise/spec.hpp as well, specs are what they are elsewhere.
sed 's/namespace stats/namespace specs/' stats.kernels.cpp > specs.hpp
for compiler in "${compilers[@]}"; do
  printf '#include "before.hpp"\n#include "specs.hpp"\nfloat call() { return specs::rel_diff(1.0f, 2.0f); }\n' > call.cpp
  quietly compiled "$compiler" call.cpp -Werror
done

# What belongs to a spec, in a program that includes foldwise/spec.hpp as well.
part_in_call() {  # part_in_call MISTAKE CODE
  local compiler
  for compiler in "${compilers[@]}"; do
    { printf '#include "before.hpp"\n#include <foldwise/spec.hpp>\n' && called call.cpp call "$2"; } > call.cpp
    ! compiled "$compiler" call.cpp > log.txt || fail "$compiler accepts $2"
    [[ $(grep -c ' error: ' log.txt) == 1 ]] && grep -qF "foldwise::wrong_call::$1" log.txt ||
      { cat log.txt >&2; fail "$compiler does not say '$1' for $2"; }
  done
}
part_in_call "$identity<2, " 'float s = stats::sum(x, foldwise::identity(0))'
part_in_call "$identity<3, " 'stats::running(x, out, foldwise::lowest)'
part_in_call "$identity<2, " 'auto z = stats::rel_diff(x, foldwise::identity(0.0f))'
part_in_call 'a_part_of_the_spec_is_no_argument_of_calls<2, ' 'float s = stats::sum(x, foldwise::no_identity)'
part_in_call 'a_part_of_the_spec_is_no_argument_of_calls<1, ' 'float s = stats::sum(foldwise::map([](float a) { return a; }), x)'

wasted 'stats::rel_diff(x, x)'
wasted 'stats::rel_diff(x, x, {})'
wasted 'stats::split(x)'
wasted 'stats::sum(x)'
wasted 'stats::sum(x, foldwise::axis(0))'
wasted 'stats::running(x)'
wasted 'stats::scaled_rows(x)'
wasted 'stats::blurred(x)'
wasted 'stats::blurred(x, foldwise::steps(3))'
wasted 'stats::histogram(std::vector<std::uint8_t>(3), foldwise::shape{4})'
wasted 'stats::rel_diff(1.0f, 2.0f)'
wasted 'stats::split(1.0f)'
wasted 'foldwise::to_device(x)'
wasted 'foldwise::array<float> a(3); a.reshape({3, 1})'
wasted 'foldwise::array<float> a(3); a.to_host()'
wasted 'foldwise::host(pointer, 3).transpose()'

dangling 'auto v = foldwise::host(std::vector<float>{1, 2, 3})'
dangling 'auto v = foldwise::host(std::vector<float>{1, 2, 3}, {3, 1})'
dangling 'auto v = stats::rel_diff(x, x).slice(0, 0, 3)'
dangling 'auto v = stats::rel_diff(x, x).transpose()'
dangling 'foldwise::view<const float> v = stats::rel_diff(x, x)'
deleted 'a view does not keep elements alive: hold the array in a variable' 'foldwise::view<float> v = stats::rel_diff(x, x)'
lasting 'float s = stats::sum(foldwise::host(std::vector<float>{1, 2, 3})) + stats::sum(stats::rel_diff(x, x).slice(0, 0, 3))'
lasting 'auto v = foldwise::host(x); auto a = stats::rel_diff(x, x); auto w = a.slice(0, 0, 3)'

# The user may add overloads of the same name for types that are no operands of the kernel.
accepted '} namespace stats { struct own { float value; }; float rel_diff(const own& a, const own& b) {
    return rel_diff(a.value, b.value); } } void more(stats::own a) { stats::rel_diff(a, a)'

for compiler in "${compilers[@]}"; do
  check_together "$compiler" refused written deleted unprinted unavailable
  check_together "$compiler" wasted
  check_together "$compiler" accepted
done
if [[ -n $CLANG ]]; then
  check_together "$CLANG" dangling
  check_together "$CLANG" lasting
fi

# nvcc: all that it prints, of which one line is empty.
if [[ -n $CUDACXX ]]; then
  for i in "${!kinds[@]}"; do
    [[ ${codes[i]} == @("stats::rel_diff(x, x, fixed)"|"auto z = stats::normalised(x, {1, 2})"|"std::cout << stats::rel_diff(whole, x).to_host()[0]") ]] || continue
    { echo '#include "before.hpp"' && called call.cu call "${codes[i]}"; } > call.cu
    ! "$CUDACXX" -std=c++20 -I"$SOURCE/runtime/include" -I. --cuda -o call.ii call.cu > log.txt 2>&1 ||
      fail "nvcc accepts ${codes[i]}"
    [[ $(grep -c ' error: ' log.txt) == 1 && $(wc -l < log.txt) -le 5 ]] &&
      grep -F "call.cu($user_line): error: " log.txt | grep -qF "this_call_is_not_possible_because<foldwise::wrong_call::${words[i]%%<*}" ||
      { cat log.txt >&2; fail "nvcc does not say '${words[i]}' for ${codes[i]}"; }
  done
  # Brackets one after another are the one mistake that there is.
  { echo '#include "before.hpp"' && called call.cu call 'float f = foldwise::host(x, {3, 1})[0][1] + 1'; } > call.cu
  ! "$CUDACXX" -std=c++20 -I"$SOURCE/runtime/include" -I. --cuda -o call.ii call.cu > log.txt 2>&1 ||
    fail "nvcc accepts brackets of a view"
  [[ $(grep -c ' error: ' log.txt) == 1 ]] && grep -qF 'it is a deleted function' log.txt ||
    { cat log.txt >&2; fail "nvcc does not report brackets of a view alone"; }
fi
