// Text in aligned columns, with lines in between that are not part of any column.
#pragma once

#include <string>
#include <vector>

namespace ballast::cli {

enum class Align { left, right };

class Table {
 public:
  explicit Table(std::vector<Align> columns, std::size_t indent = 2) : columns_(std::move(columns)), indent_(indent) {}

  // At most as many cells as there are columns.
  void row(std::vector<std::string> cells);
  // A line of its own, as it is; it may be painted.
  void line(std::string text);
  [[nodiscard]] std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string line;
    bool is_line = false;
  };
  std::vector<Align> columns_;
  std::size_t indent_;
  std::vector<Row> rows_;
};

}  // namespace ballast::cli
