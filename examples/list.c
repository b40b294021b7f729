/* SPDX-License-Identifier: Apache-2.0
 *
 * What GPU code is in a file, and does it run on a card?
 *
 *   cc list.c $(pkg-config --cflags --libs kernelfit) -o list
 *   ./list libtorch_cuda.so "GeForce RTX 3090" 535.183.01
 */
#include <inttypes.h>
#include <kernelfit/kernelfit.h>
#include <stdio.h>

static void print_entries(const kernelfit_file* file) {
  static const char* const places[] = {"", "  relocatable", "  bare"};
  for (size_t i = 0; i < kernelfit_entry_count(file); ++i) {
    const kernelfit_entry* entry = kernelfit_entry_at(file, i);
    printf("  %-12s %6" PRId64 "  %s%s\n", kernelfit_entry_arch(entry),
           kernelfit_entry_images(entry), kernelfit_entry_compression(entry),
           places[kernelfit_entry_place(entry)]);
  }
}

static void print_files(const kernelfit_scan* scan) {
  for (size_t i = 0; i < kernelfit_file_count(scan); ++i) {
    const kernelfit_file* file = kernelfit_file_at(scan, i);
    printf("%s %s\n", kernelfit_file_path(file), kernelfit_file_member(file));
    print_entries(file);
  }
}

static void print_problems(const kernelfit_scan* scan) {
  for (size_t i = 0; i < kernelfit_problem_count(scan); ++i) {
    const kernelfit_problem* problem = kernelfit_problem_at(scan, i);
    fprintf(stderr, "%s %s: %s\n", kernelfit_problem_path(problem),
            kernelfit_problem_member(problem), kernelfit_problem_text(problem));
  }
}

/* A card that is sold with several chips has a verdict for each. */
static kernelfit_status print_verdicts(const kernelfit_scan* scan, const char* gpu,
                                       const char* driver) {
  kernelfit_answer* answer = NULL;
  const kernelfit_status status = kernelfit_judge(scan, gpu, driver, &answer);
  for (size_t i = 0; i < kernelfit_verdict_count(answer); ++i) {
    const kernelfit_verdict* verdict = kernelfit_verdict_at(answer, i);
    const kernelfit_file* file = kernelfit_verdict_file(verdict);
    printf("%s (%s): %s %s: %s %s\n", kernelfit_verdict_gpu(verdict),
           kernelfit_verdict_capability(verdict), kernelfit_file_path(file),
           kernelfit_file_member(file), kernelfit_verdict_word(verdict),
           kernelfit_verdict_used(verdict));
  }
  if (status == KERNELFIT_BAD_ARGUMENT) fprintf(stderr, "%s\n", kernelfit_answer_message(answer));
  kernelfit_answer_close(answer);
  return status;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s PATH [GPU [DRIVER]]\n", argv[0]);
    return 2;
  }
  kernelfit_scan* scan = NULL;
  kernelfit_status status = kernelfit_open(argv[1], NULL, &scan);
  print_files(scan);
  print_problems(scan);
  if (argc > 2) status = print_verdicts(scan, argv[2], argc > 3 ? argv[3] : NULL);
  kernelfit_close(scan);
  return (int)status;
}
