// main() of programs that are compiled together: GPE_PROGRAM is the namespace of the one that is linked.
// Tests: tests/cli/help.cmake

namespace GPE_PROGRAM {
int run(int argc, char** argv);
}

int main(int argc, char** argv) { return GPE_PROGRAM::run(argc, argv); }
