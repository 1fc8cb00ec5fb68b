// `batches_probe vectors FILE` takes the batches of every loop of the vectors and writes them as
// they have them; `batches_probe` is a worker whose loops are scripted by the names of operations.

#include <wirelab/batch_worker.hpp>

#include <stdexcept>

using wirelab::BatchPlan;
using wirelab::Checksum;
using wirelab::Loop;

namespace {

std::int64_t integer_at(wl_json from, const char* path) {
    std::int64_t value = 0;
    if (!wl_json_int(wl_json_find(from, path), &value))
        throw std::runtime_error(path);
    return value;
}

/// A loop whose iterations take what a vector says, by a clock of its own.
class Scripted final : public Loop {
public:
    explicit Scripted(wl_json vector)
        : inputs_(static_cast<std::size_t>(integer_at(vector, "inputs"))),
          audited_(*wl_json_find(vector, "audited").at == 't') {
        wl_json cost{nullptr, nullptr};
        while (wl_json_next(wl_json_find(vector, "cost_ns"), nullptr, &cost))
            costs_.push_back(integer_at(cost, ""));
    }
    Checksum run(std::uint64_t iterations) override {
        const std::size_t batch = std::min(begun_++, costs_.size() - 1);
        now_ += static_cast<std::int64_t>(iterations) * costs_[batch];
        return 0;
    }
    std::size_t inputs() const override { return inputs_; }
    bool audited() const override { return audited_; }
    std::int64_t now() const { return now_; }

private:
    std::size_t inputs_;
    bool audited_;
    std::size_t begun_ = 0;
    std::vector<std::int64_t> costs_;
    std::int64_t now_ = 0;
};

void take(wl_json vector) {
    BatchPlan plan;
    plan.iterations = static_cast<std::uint64_t>(integer_at(vector, "plan.rounds"));
    plan.batch_ns = integer_at(vector, "plan.batch_ns");
    plan.count = integer_at(vector, "plan.count");
    plan.warmup_ns = integer_at(vector, "plan.warmup_ns");
    plan.agree = std::strtod(wl_json_find(vector, "plan.agree").at, nullptr);
    Scripted loop(vector);
    const auto count_bytes = [](auto call) {
        call();
        return std::int64_t{0};
    };
    wirelab::Batches batches(
        loop, plan, [&] { return loop.now(); }, [] { return false; }, count_bytes);
    const char* between = "[";
    for (const wirelab::Batch& batch : batches.take()) {
        std::printf("%s[\"%s\", %llu]", between, batch.phase,
                    static_cast<unsigned long long>(batch.iterations));
        between = ", ";
    }
    std::printf("]\n");
}

void take_all(const char* path) {
    std::size_t size = 0, wrong = 0;
    char* text = wl__read_file(path, &size);
    wl_json root{nullptr, nullptr}, vector{nullptr, nullptr};
    if (text == nullptr || !wl_json_parse(text, size, &root, &wrong))
        throw std::runtime_error(path);
    while (wl_json_next(wl_json_find(root, "loops"), nullptr, &vector))
        take(vector);
    std::free(text);
}

/// Adds its inputs up, and allocates for each of them.
class Adding final : public Loop {
public:
    Checksum run(std::uint64_t iterations) override {
        return wirelab::cycle(inputs_, iterations, [](Checksum input) {
            const std::unique_ptr<char[]> block(new char[100]);
            wirelab::keep(block);
            return input;
        });
    }
    std::size_t inputs() const override { return inputs_.size(); }

private:
    std::vector<Checksum> inputs_{1, 10, 100};
};

/// Takes more than half a second each time, so that a second is over between two batches.
class Waiting final : public Loop {
public:
    Checksum run(std::uint64_t) override {
        const timespec time{0, 600'000'000};
        nanosleep(&time, nullptr);
        return 0;
    }
    std::size_t inputs() const override { return 1; }
};

std::unique_ptr<Loop> loop_of(const std::string& operation) {
    if (operation == "broken")
        throw std::out_of_range("no inputs");
    if (operation == "wait")
        return std::make_unique<Waiting>();
    return operation == "add" ? std::make_unique<Adding>() : nullptr;
}

int work() {
    wirelab::BatchWorker worker("client");
    const wl_about about{"probe", "1", "g++", __VERSION__, nullptr, nullptr, nullptr};
    wl_ready(&worker.worker, &about);
    worker.follow([&](const std::string& step) {
        const auto answer = [&] {
            wl_answer_begin(&worker.worker.answers, "preflight", "add", 0, 1, 2);
            wl_putf(&worker.worker.answers.line, "{}");
            wl_answer_end(&worker.worker.answers);
        };
        worker.step(step, answer, loop_of);
    });
    worker.done();
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 1)
        return work();
    take_all(arguments[2]);
    return 0;
}
