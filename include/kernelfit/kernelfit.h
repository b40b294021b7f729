/* SPDX-License-Identifier: Apache-2.0
 *
 * libkernelfit: which GPU code is inside a file, and does it run on that card?
 *
 *   #include <kernelfit/kernelfit.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     kernelfit_scan *scan = NULL;
 *     if (kernelfit_open("libtorch_cuda.so", NULL, &scan) != KERNELFIT_OK)
 *       fprintf(stderr, "%s\n", kernelfit_message(scan));
 *     for (size_t i = 0; i < kernelfit_file_count(scan); ++i) {
 *       const kernelfit_file *file = kernelfit_file_at(scan, i);
 *       printf("%s on 8.6: %s\n", kernelfit_file_path(file), kernelfit_file_coverage(file, 8, 6));
 *     }
 *     kernelfit_close(scan);
 *     return 0;
 *   }
 *
 *   cc example.c $(pkg-config --cflags --libs kernelfit)
 *
 * It reads what `kernelfit scan` reads (libraries, objects, wheels, archives, folders), says what
 * that says, and needs no GPU, driver or CUDA toolkit either. Nothing is written. Only a path that
 * is an address (https://…) has to do with the network, and with another program: curl.
 *
 * Handles. A scan is opened and closed, and owns everything that is reached through it: files,
 * entries, images, problems, strings. All of it lives until kernelfit_close(). An answer is closed
 * by itself and may outlive its scan.
 *
 * Nothing to fear. A NULL handle and an index past the end are answered with NULL, 0 or "", never
 * with a crash. No function throws, prints, exits or installs a signal handler. What a file lies
 * about is a problem in the list, and what stands before it is kept.
 *
 * Strings are UTF-8, end in a zero, and are never NULL where this header does not say so; empty
 * means: not known, or there is none. Paths are bytes as the system has them. Capabilities are
 * written "8.6", architectures as NVIDIA's tools write them: "sm_90a", "compute_90", "lto_90".
 *
 * Threads. There is no global state: different handles never meet. Once it is open, a scan and
 * what it owns may be read by several threads at once. Reading takes one thread per processor
 * unless kernelfit_options_set_threads() says otherwise.
 *
 * Versions. KERNELFIT_ABI_VERSION is the number in libkernelfit.so.1: functions, constants and
 * words are added under it, none is changed or taken away. No struct is ever laid open, so that
 * none can grow out of the program that was compiled with it.
 *
 * docs/library.md tells the same at leisure; examples/ has it in C and in Python.
 */
#ifndef KERNELFIT_KERNELFIT_H
#define KERNELFIT_KERNELFIT_H

#include <stddef.h>
#include <stdint.h>

#ifndef KERNELFIT_API
#if defined(_WIN32)
#define KERNELFIT_API __declspec(dllimport)
#elif defined(__GNUC__)
#define KERNELFIT_API __attribute__((visibility("default")))
#else
#define KERNELFIT_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Version ------------------------------------------------------------------------------ */

#define KERNELFIT_ABI_VERSION 1

/* KERNELFIT_ABI_VERSION of the library that was loaded, which may not be the one of this header. */
KERNELFIT_API int kernelfit_abi_version(void);
/* "0.1.0": the release, as `kernelfit --version` has it. */
KERNELFIT_API const char* kernelfit_version(void);
/* "2026-11-30": the day of what the library knows about cards, drivers and toolkits. */
KERNELFIT_API const char* kernelfit_knowledge_date(void);

/* --- What a call comes to ----------------------------------------------------------------- */

/* The first four, and the last two, are the exit statuses of `kernelfit scan`. */
typedef enum kernelfit_status {
  KERNELFIT_OK = 0,           /* everything was read; with a card: it all runs there */
  KERNELFIT_DOES_NOT_FIT = 1, /* only kernelfit_judge(): something does not run on the card */
  KERNELFIT_NO_ANSWER = 2,    /* nothing could be read: the problems say why */
  KERNELFIT_IN_PART = 3,      /* some of it could not be read, or does not decide it */
  KERNELFIT_BAD_ARGUMENT = 4, /* NULL where it may not be, or a word that is not known */
  KERNELFIT_NO_MEMORY = 5,
  KERNELFIT_BUG = 70,       /* please report it, with the message */
  KERNELFIT_CANCELLED = 130 /* kernelfit_options_cancel() */
} kernelfit_status;

/* --- Options ------------------------------------------------------------------------------ */

/* How to read. One may serve many scans; it is changed while none is being opened, but for
 * kernelfit_options_cancel(). */
typedef struct kernelfit_options kernelfit_options;

/* NULL where memory ran out. */
KERNELFIT_API kernelfit_options* kernelfit_options_new(void);
KERNELFIT_API void kernelfit_options_free(kernelfit_options* options);

/* 1: decode every image, so that kernels and empty images are counted, and the JSON names the
 * kernels (`scan --kernels`). Takes longer. 0 at first. */
KERNELFIT_API kernelfit_status kernelfit_options_set_kernels(kernelfit_options* options, int on);
/* 1: look only where compilers put code, not in the rest of the file (`scan --sections`). Faster;
 * misses what is hidden elsewhere, as in NVIDIA's own libraries. 0 at first. */
KERNELFIT_API kernelfit_status kernelfit_options_set_sections_only(kernelfit_options* options,
                                                                   int on);
/* 1: of an address, send the whole file through, not only its directory and metadata
 * (`scan --deep`). 0 at first. */
KERNELFIT_API kernelfit_status kernelfit_options_set_deep(kernelfit_options* options, int on);
/* At most so many threads; 0, as at first: one per processor. Below 0: KERNELFIT_BAD_ARGUMENT. */
KERNELFIT_API kernelfit_status kernelfit_options_set_threads(kernelfit_options* options,
                                                             int threads);
/* Of messages, reasons, and what the JSON says in sentences: "en" (at first) or "zh".
 * KERNELFIT_BAD_ARGUMENT for others. */
KERNELFIT_API kernelfit_status kernelfit_options_set_language(kernelfit_options* options,
                                                              const char* language);
/* Every kernelfit_open() with these options, running or to come, ends soon with
 * KERNELFIT_CANCELLED. From any thread, and from a signal handler. */
KERNELFIT_API void kernelfit_options_cancel(kernelfit_options* options);

/* --- A scan ------------------------------------------------------------------------------- */

typedef struct kernelfit_scan kernelfit_scan;

/* Reads a file, archive or folder, and keeps what it found. `options` may be NULL.
 *
 * OK, IN_PART, NO_ANSWER: *scan holds files and problems. Else it holds the message alone. *scan is
 * NULL only where memory ran out or `scan` itself is NULL; whatever it is, close it. */
KERNELFIT_API kernelfit_status kernelfit_open(const char* path, const kernelfit_options* options,
                                              kernelfit_scan** scan);
KERNELFIT_API void kernelfit_close(kernelfit_scan* scan);

/* What kernelfit_open() returned; KERNELFIT_BAD_ARGUMENT for NULL. */
KERNELFIT_API kernelfit_status kernelfit_scan_status(const kernelfit_scan* scan);
/* What went wrong or was left out, in lines for people; empty with KERNELFIT_OK. */
KERNELFIT_API const char* kernelfit_message(const kernelfit_scan* scan);
/* Byte for byte what `kernelfit scan --json PATH` prints, schemas/scan.schema.json. Made at the
 * first call. Empty where nothing was scanned, or memory ran out. */
KERNELFIT_API const char* kernelfit_scan_json(const kernelfit_scan* scan);

/* --- Files: those that hold GPU code or have a problem ------------------------------------ */

/* One binary: the file that was opened, one of the folder, or a member of an archive. */
typedef struct kernelfit_file kernelfit_file;

/* Sorted by path, then member. */
KERNELFIT_API size_t kernelfit_file_count(const kernelfit_scan* scan);
KERNELFIT_API const kernelfit_file* kernelfit_file_at(const kernelfit_scan* scan, size_t index);

KERNELFIT_API const char* kernelfit_file_path(const kernelfit_file* file);
/* In an archive: "torch/lib/libtorch_cuda.so", in nested ones "a.whl!lib.so". Empty: the file
 * itself. */
KERNELFIT_API const char* kernelfit_file_member(const kernelfit_file* file);
/* Of a container image: the digest of the layer that the file comes from. */
KERNELFIT_API const char* kernelfit_file_layer(const kernelfit_file* file);
/* "elf-shared" "elf-executable" "elf-object" "pe-dll" "pe-executable" "coff-object" "fatbin"
 * "cubin" "ptx" "data" "unreadable"; more may come. */
KERNELFIT_API const char* kernelfit_file_kind(const kernelfit_file* file);
KERNELFIT_API uint64_t kernelfit_file_bytes(const kernelfit_file* file);
/* "x86_64", "aarch64": of programs and libraries. */
KERNELFIT_API const char* kernelfit_file_cpu_arch(const kernelfit_file* file);
/* "none", "lz4", "zstd" or several: "lz4 zstd". Empty: it holds no image. */
KERNELFIT_API const char* kernelfit_file_compression(const kernelfit_file* file);
/* "12.4": the CUDA that built it, by its images, else by the CUDA libraries that it loads. */
KERNELFIT_API const char* kernelfit_file_cuda_version(const kernelfit_file* file);
/* "525.60.13": the driver that its machine code needs, by NVIDIA's table of toolkits and drivers.
 * PTX may need a newer one: kernelfit_judge(). */
KERNELFIT_API const char* kernelfit_file_min_driver(const kernelfit_file* file);
/* "8.4": the highest version among its PTX. */
KERNELFIT_API const char* kernelfit_file_ptx_isa(const kernelfit_file* file);
/* "2.17": the glibc that it needs. */
KERNELFIT_API const char* kernelfit_file_glibc(const kernelfit_file* file);
/* The libraries that it loads, "libcudart.so.12", one by one; NULL past the last. */
KERNELFIT_API const char* kernelfit_file_needs(const kernelfit_file* file, size_t index);

/* What its code alone does on a card of this compute capability, with a driver that is new enough:
 *
 *   "native"    runs, by machine code
 *   "ptx-jit"   runs, by PTX that the driver compiles at the first call
 *   "partial"   some kernels run
 *   "no-code"   nothing in it runs there
 *   "unknown"   the file does not decide it; also for NULL
 */
KERNELFIT_API const char* kernelfit_file_coverage(const kernelfit_file* file, int major, int minor);

/* --- Entries: what a file holds, by architecture ------------------------------------------ */

typedef enum kernelfit_code {
  KERNELFIT_NONE = 0, /* of NULL */
  KERNELFIT_SASS = 1, /* machine code: "sm_86" */
  KERNELFIT_PTX = 2,  /* to be compiled by the driver: "compute_86" */
  KERNELFIT_LTO = 3   /* to be linked before it runs: "lto_86" */
} kernelfit_code;

typedef enum kernelfit_place {
  KERNELFIT_IN_CONTAINER = 0,
  KERNELFIT_RELOCATABLE = 1, /* in __nv_relfatbin of a linked file: input of its linker. The machine
                                code does not count for any card; the PTX does */
  KERNELFIT_BARE = 2         /* a cubin outside any container */
} kernelfit_place;

/* All images of one kind, architecture and place. */
typedef struct kernelfit_entry kernelfit_entry;

/* SASS, PTX, LTO, each by architecture; then the relocatable, then the bare. */
KERNELFIT_API size_t kernelfit_entry_count(const kernelfit_file* file);
KERNELFIT_API const kernelfit_entry* kernelfit_entry_at(const kernelfit_file* file, size_t index);

KERNELFIT_API kernelfit_code kernelfit_entry_code(const kernelfit_entry* entry);
KERNELFIT_API kernelfit_place kernelfit_entry_place(const kernelfit_entry* entry);
/* "sm_90a"; in parts: 90 and 'a'. The suffix is 'a' (that capability alone), 'f' (its family) or
 * 0. */
KERNELFIT_API const char* kernelfit_entry_arch(const kernelfit_entry* entry);
KERNELFIT_API int kernelfit_entry_number(const kernelfit_entry* entry);
KERNELFIT_API char kernelfit_entry_suffix(const kernelfit_entry* entry);
/* "none", "lz4", "zstd", or several; empty for bare cubins and PTX files. */
KERNELFIT_API const char* kernelfit_entry_compression(const kernelfit_entry* entry);
/* How many images; how many kernels in them; how many of them hold none. The last two are -1 where
 * not all were decoded: see kernelfit_options_set_kernels(). */
KERNELFIT_API int64_t kernelfit_entry_images(const kernelfit_entry* entry);
KERNELFIT_API int64_t kernelfit_entry_kernels(const kernelfit_entry* entry);
KERNELFIT_API int64_t kernelfit_entry_empty(const kernelfit_entry* entry);

/* --- Images, one by one ------------------------------------------------------------------- */

typedef struct kernelfit_image kernelfit_image;

/* As they lie in the file, container by container; then the bare. Their number is the sum of
 * kernelfit_entry_images(). */
KERNELFIT_API size_t kernelfit_image_count(const kernelfit_file* file);
KERNELFIT_API const kernelfit_image* kernelfit_image_at(const kernelfit_file* file, size_t index);

KERNELFIT_API kernelfit_code kernelfit_image_code(const kernelfit_image* image);
KERNELFIT_API kernelfit_place kernelfit_image_place(const kernelfit_image* image);
KERNELFIT_API const char* kernelfit_image_arch(const kernelfit_image* image);
KERNELFIT_API const char* kernelfit_image_compression(const kernelfit_image* image);
/* ".nv_fatbin"; empty for what lies in no container, or in a bare .fatbin file. */
KERNELFIT_API const char* kernelfit_image_section(const kernelfit_image* image);
/* In bytes: where its entry begins in the file or member, its size there, and uncompressed. The
 * sizes are 0 for what lies in no container. */
KERNELFIT_API uint64_t kernelfit_image_offset(const kernelfit_image* image);
KERNELFIT_API uint64_t kernelfit_image_stored_bytes(const kernelfit_image* image);
KERNELFIT_API uint64_t kernelfit_image_code_bytes(const kernelfit_image* image);
/* -1: not counted. */
KERNELFIT_API int64_t kernelfit_image_kernels(const kernelfit_image* image);

/* --- Problems: what could not be read ----------------------------------------------------- */

typedef struct kernelfit_problem kernelfit_problem;

#define KERNELFIT_NO_OFFSET UINT64_MAX /* it is not at one place */

KERNELFIT_API size_t kernelfit_problem_count(const kernelfit_scan* scan);
KERNELFIT_API const kernelfit_problem* kernelfit_problem_at(const kernelfit_scan* scan,
                                                            size_t index);

KERNELFIT_API const char* kernelfit_problem_path(const kernelfit_problem* problem);
KERNELFIT_API const char* kernelfit_problem_member(const kernelfit_problem* problem);
/* In bytes, in the file or member. */
KERNELFIT_API uint64_t kernelfit_problem_offset(const kernelfit_problem* problem);
/* "offset 952: the entry is cut off" */
KERNELFIT_API const char* kernelfit_problem_text(const kernelfit_problem* problem);

/* --- Does it run on that card? ------------------------------------------------------------ */

typedef struct kernelfit_answer kernelfit_answer;

/* Asks every file. `gpu` is what `--gpu` takes: "GeForce RTX 3090", "8.6", "sm_86", "10de:2204". A
 * name that is sold with several chips (GT 730) is asked for each of them. `driver`: "535.183.01",
 * "none", or NULL for one that is new enough.
 *
 * OK: all of it runs. DOES_NOT_FIT: something does not. IN_PART: the files, or the chips of the
 * name, do not decide it. NO_ANSWER: nothing could be read. BAD_ARGUMENT: the card or the driver is
 * not understood, the message says how it might be meant. *answer is NULL only where memory ran out
 * or `answer` itself is NULL. */
KERNELFIT_API kernelfit_status kernelfit_judge(const kernelfit_scan* scan, const char* gpu,
                                               const char* driver, kernelfit_answer** answer);
KERNELFIT_API void kernelfit_answer_close(kernelfit_answer* answer);

/* What kernelfit_judge() returned, and why; as for a scan. */
KERNELFIT_API kernelfit_status kernelfit_answer_status(const kernelfit_answer* answer);
KERNELFIT_API const char* kernelfit_answer_message(const kernelfit_answer* answer);
/* Byte for byte `kernelfit scan --json --gpu GPU --driver DRIVER PATH`. */
KERNELFIT_API const char* kernelfit_answer_json(const kernelfit_answer* answer);

/* One chip and one file. */
typedef struct kernelfit_verdict kernelfit_verdict;

KERNELFIT_API size_t kernelfit_verdict_count(const kernelfit_answer* answer);
KERNELFIT_API const kernelfit_verdict* kernelfit_verdict_at(const kernelfit_answer* answer,
                                                            size_t index);

/* The words of kernelfit_file_coverage(), and with a driver: "driver-too-old",
 * "driver-too-new-for-gpu" (its branch has dropped the card), "no-driver". */
KERNELFIT_API const char* kernelfit_verdict_word(const kernelfit_verdict* verdict);
/* 1 for "native", "ptx-jit" and "partial". */
KERNELFIT_API int kernelfit_verdict_runs(const kernelfit_verdict* verdict);
/* NULL only of NULL. Lives as long as the answer. */
KERNELFIT_API const kernelfit_file* kernelfit_verdict_file(const kernelfit_verdict* verdict);
/* "GeForce RTX 3090", and its capability, "8.6". */
KERNELFIT_API const char* kernelfit_verdict_gpu(const kernelfit_verdict* verdict);
KERNELFIT_API const char* kernelfit_verdict_capability(const kernelfit_verdict* verdict);
/* "sm_86": what would run. Empty: nothing. */
KERNELFIT_API const char* kernelfit_verdict_used(const kernelfit_verdict* verdict);
/* "525.60.13": the first driver that will do for its machine code; and the last branch that serves
 * the card, 0: current ones do. */
KERNELFIT_API const char* kernelfit_verdict_min_driver(const kernelfit_verdict* verdict);
KERNELFIT_API int kernelfit_verdict_max_branch(const kernelfit_verdict* verdict);
/* Half a sentence for people; may be empty. */
KERNELFIT_API const char* kernelfit_verdict_reason(const kernelfit_verdict* verdict);

#ifdef __cplusplus
}
#endif

#endif /* KERNELFIT_KERNELFIT_H */
