// The commands. Each adds itself, its options and its help to the program.
#pragma once

namespace ballast::cli {

class Program;

void add_inspect(Program& program);
void add_check(Program& program);
void add_plan(Program& program);
void add_load(Program& program);
void add_models(Program& program);

}  // namespace ballast::cli
