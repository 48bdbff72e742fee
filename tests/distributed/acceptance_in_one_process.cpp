// acceptance_in_one_process threads|gpus RANKS: the acceptance program for several processes, as it is, with a thread
// of this process for each rank. GPUs serve several ranks where there are fewer.
#define main acceptance_of_a_rank
#include "../acceptance/distributed/main.cpp"
#undef main

#include <cstdlib>
#include <string>

static foldwise::communicator group_of(const std::string& kind, int ranks) {
    if (kind == "threads") return foldwise::threads(ranks);
    const int count = foldwise::gpus().size();
    std::vector<int> devices;
    for (int rank = 0; rank < ranks; ++rank) devices.push_back(rank % count);
    return foldwise::gpus(devices);
}

int main(int argc, char** argv) try {
    if (argc != 3) return 2;
    group_of(argv[1], std::atoi(argv[2])).run([&](const foldwise::communicator& rank) {
        foldwise::rank_of_this_thread = &rank;
        acceptance_of_a_rank(argc, argv);
    });
    return failures != 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
