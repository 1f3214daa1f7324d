#include "table.hpp"

#include <algorithm>
#include <utility>

#include "terminal.hpp"

namespace ballast::cli {

void Table::row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}, false}); }
void Table::line(std::string text) { rows_.push_back({{}, std::move(text), true}); }

std::string Table::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_)
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], display_width(row.cells[i]));
  std::string text;
  for (const Row& row : rows_) {
    if (row.is_line) {
      text += row.line + "\n";
      continue;
    }
    std::string line(indent_, ' ');
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const std::string padding(widths[i] - display_width(row.cells[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i] == Align::right ? padding + row.cells[i] : row.cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace ballast::cli
