// What the fuzz targets share: bytes as texts, files that live in memory, and checks that end the program.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A promise of the reader; libFuzzer keeps the input that breaks it.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// The texts between the zero bytes, `count` of them; the last has all the rest.
inline std::vector<std::string_view> parts_of(std::string_view text, std::size_t count) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < count) {
    const std::size_t end = text.find('\0');
    parts.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  parts.push_back(text);
  return parts;
}

/// What a file holds, written only when it changes: most inputs differ in one of their parts. Has room for any input
/// from the beginning: what grew would be taken for a leak.
class Contents {
 public:
  Contents() { bytes_.reserve(std::size_t{1} << 16); }

  void write(int file, std::string_view bytes) {
    if (bytes == bytes_) return;
    require(::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
            "a file in memory can be written");
    require(bytes.size() >= bytes_.size() || ::ftruncate(file, static_cast<off_t>(bytes.size())) == 0,
            "a file in memory can be cut");
    bytes_ = bytes;
  }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// A file without a name of its own.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {
    require(file_ >= 0, "memory can be had as a file");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }
  void fill(std::string_view bytes) { contents_.write(file_, bytes); }

 private:
  int file_;
  std::string path_;
  Contents contents_;
};

/// A folder of files with names, in memory where the system has /dev/shm; gone with the program.
class Folder {
 public:
  Folder() {
    std::error_code ignored;
    const bool in_memory = std::filesystem::is_directory("/dev/shm", ignored);
    path_ = (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) / "evident-XXXXXX";
    std::string name = path_.string();
    require(::mkdtemp(name.data()) != nullptr, "a folder can be made");
    path_ = name;
  }
  ~Folder() {
    for (const auto& [name, file] : files_)
      if (file.opened >= 0) ::close(file.opened);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string path(std::string_view name) const { return path_.native() + '/' + std::string(name); }
  /// An empty text: no such file.
  void fill(std::string_view name, std::string_view bytes) {
    auto found = files_.find(name);
    if (found == files_.end()) found = files_.emplace(name, File{path(name)}).first;
    File& file = found->second;
    if (!bytes.empty()) {
      if (file.opened < 0) file.opened = ::open(file.path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      require(file.opened >= 0, "a file can be made");
      file.contents.write(file.opened, bytes);
    } else if (file.opened >= 0) {
      ::close(std::exchange(file.opened, -1));
      ::unlink(file.path.c_str());
      file.contents.clear();
    }
  }

 private:
  struct File {
    std::string path;
    int opened = -1;  ///< none: there is no such file
    Contents contents{};
  };
  std::filesystem::path path_;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace fuzz
