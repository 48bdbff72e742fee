// Blocks with a phase too few, and with elements that several items or blocks write: ThreadSanitizer finds them in what the
// generator emits, whatever the order is in which items run, and says the line of the spec.
// REQUIRES: thread, GNU
// DEFINE: %{spec} = %S/Inputs/phases.kernels.cpp
// DEFINE: %{out} = %t.generated/phases.kernels
// RUN: %generate --out-dir=%t.generated %{spec} -- -I%include
// RUN: %build.thread -fsanitize=thread -I%t.generated %{out}.launch.cpp %{out}.simulator.cpp %libraries
// RUN: not %run-thread neighbour 2>&1 | FileCheck %{spec} --check-prefix=NEIGHBOUR
// RUN: not %run-thread turned 2>&1 | FileCheck %{spec} --check-prefix=TURNED
// RUN: not %run-thread one_for_all 2>&1 | FileCheck %{spec} --check-prefix=ONE
// RUN: not %run-thread counted 2>&1 | FileCheck %{spec} --check-prefix=COUNTED
// RUN: not %run-thread summed_in_place 2>&1 | FileCheck %{spec} --check-prefix=SUMMED
// RUN: not %run-thread tile_of_the_last_round 2>&1 | FileCheck %{spec} --check-prefix=ROUND
// RUN: not %run-thread same_element 2>&1 | FileCheck %{spec} --check-prefix=SAME
// RUN: not %run-thread the_next_block_s 2>&1 | FileCheck %{spec} --check-prefix=NEXT
// RUN: not %run-thread halo_that_nobody_read 2>&1 | FileCheck %{spec} --check-prefix=HALO
// RUN: not %run-thread no_first_value 2>&1 | FileCheck %{spec} --check-prefix=FIRST
// RUN: %run-thread with_phases 2>&1 | count 0
// RUN: %run-thread stored_first 2>&1 | count 0
#include "phases.kernels.hpp"

#include <foldwise/array.hpp>
#include <foldwise/error.hpp>
#include <foldwise/executor.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main(int, char** arguments) try {
    const std::string name = arguments[1];
    const foldwise::executor simulator = foldwise::simulator();
    foldwise::array<int> x({128}, simulator), y({128}, simulator), square({8, 8}, simulator), turned({8, 8}, simulator);
    x.fill(1);
    y.fill(1);
    square.fill(1);
    if (name == "neighbour") phases::neighbour(128, x, y, simulator);
    if (name == "turned") phases::turned({8, 8}, square, turned, simulator);
    if (name == "one_for_all") phases::one_for_all(128, x, y, simulator);
    if (name == "counted") phases::counted(128, x, y, simulator);
    if (name == "summed_in_place") phases::summed_in_place(128, x, y, simulator);
    if (name == "tile_of_the_last_round") phases::tile_of_the_last_round(128, x, y, simulator);
    if (name == "same_element") phases::same_element(128, x, y, simulator);
    if (name == "the_next_block_s") phases::the_next_block_s(128, x, y, simulator);
    if (name == "halo_that_nobody_read") phases::halo_that_nobody_read(128, x, y, simulator);
    if (name == "no_first_value") phases::no_first_value(128, 1, x, y, simulator);
    if (name == "with_phases") phases::with_phases(128, x, y, simulator);
    if (name == "stored_first") phases::stored_first(128, x, y, simulator);
    return 0;
} catch (const foldwise::device_error& e) {
    std::puts(e.what());
    return 1;
}
