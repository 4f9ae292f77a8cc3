// What the address sanitizer is told, so that inputs are quick: freed memory is set aside up to 16 MB, more than an
// input frees, and blocks do not remember who asked for them. ASAN_OPTIONS=malloc_context_size=30 has that in a report.
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=0:quarantine_size_mb=16:allocator_release_to_os_interval_ms=-1";
}
