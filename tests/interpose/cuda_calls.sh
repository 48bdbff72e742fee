#!/bin/sh
# cuda_calls.sh ARCHIVE ASSEMBLY OPTIONS: writes, for each function of CUDA's runtime library, one that counts its calls and
# goes on to it, unless cuda_failures.cpp is asked and says that it fails (x86-64); and the linker's options that put them
# between the program and the library.
set -e
functions=$(nm -g --defined-only "$1" 2> /dev/null | awk '$2 == "T" && $3 ~ /^(__)?cuda[A-Z]/ { print $3 }' | sort -u)
[ -n "$functions" ] || { echo "$1 has no functions of CUDA's" >&2; exit 1; }

for function in $functions; do echo "--wrap=$function"; done > "$3"

number=0
{
  echo '.text'
  for function in $functions; do
    printf '.globl __wrap_%s\n.type __wrap_%s, @function\n__wrap_%s:\n' "$function" "$function" "$function"
    printf '  endbr64\n  lock incq cuda_call_counts+%d(%%rip)\n' $((8 * number))
    printf '  cmpb $0, cuda_calls_may_fail(%%rip)\n  jne .Lask%d\n.Lgo%d:\n  jmp __real_%s@PLT\n' $number $number "$function"
    # The arguments in registers are kept; functions that may fail take no floating-point numbers. Only they return other
    # than zero here: CUDA's status.
    printf '.Lask%d:\n' $number
    for register in r9 r8 rcx rdx rsi rdi; do printf '  pushq %%%s\n' $register; done
    printf '  movq %%rsp, %%rsi\n  movl $%d, %%edi\n  subq $8, %%rsp\n  call cuda_call_status\n  addq $8, %%rsp\n' $number
    for register in rdi rsi rdx rcx r8 r9; do printf '  popq %%%s\n' $register; done
    printf '  testl %%eax, %%eax\n  jz .Lgo%d\n  ret\n' $number
    number=$((number + 1))
  done
  printf '.bss\n.balign 64\n.globl cuda_call_counts\ncuda_call_counts: .zero %d\n' $((8 * number))
  printf '.section .data.rel.ro,"aw"\n.balign 8\n.globl cuda_call_names\ncuda_call_names:\n'
  number=0
  for function in $functions; do printf '  .quad .Lname%d\n' $number; number=$((number + 1)); done
  printf '.section .rodata\n.balign 4\n.globl cuda_call_kinds\ncuda_call_kinds: .long %d\n' $number
  number=0
  for function in $functions; do printf '.Lname%d: .string "%s"\n' $number "$function"; number=$((number + 1)); done
  echo '.section .note.GNU-stack,"",@progbits'
} > "$2"
