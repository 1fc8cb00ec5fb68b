using System.Collections.Concurrent;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>An answer that the core wants, by the number of its asking.</summary>
internal readonly record struct Asking(long Number, string Operation, int Lane);

/// <summary>An operation that has ended; without an answer it failed.</summary>
internal sealed class Result(string operation, long tick, long startNs, long endNs, Func<JsonObject>? answer)
{
    public string Operation => operation;

    public long Tick => tick;

    public long StartNs => startNs;

    public long EndNs => endNs;

    public Func<JsonObject>? Answer => answer;

    public bool Given { get; set; }
}

/// <summary>
/// Answers that the core asks for after their operation. The last results of each lane are kept from their end until
/// it begins again; what was asked meanwhile waits for the end. From any thread.
/// </summary>
/// <param name="answers">Where answers are written to.</param>
/// <param name="recorder">Whose records are in their file before an answer says so.</param>
internal sealed class Asked(LineFile answers, Recorder recorder)
{
    private readonly ConcurrentDictionary<int, Kept> _lanes = new();
    private readonly object _gate = new();
    private bool _closed;

    /// <summary>The lane of that number.</summary>
    public Kept Lane(int number) => _lanes.GetOrAdd(number, _ => new Kept(this));

    /// <summary>The core asks for an answer.</summary>
    public void Hear(Asking asking) => Lane(asking.Lane).Hear(asking);

    /// <summary>Answers nothing any more: the file is about to be closed.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _closed = true;
        }
    }

    private void Answer(Asking asking, IReadOnlyList<Result> brought)
    {
        Result? result = brought.FirstOrDefault(one => one.Operation == asking.Operation);
        var line = new JsonObject
        {
            ["phase"] = "measure",
            ["operation"] = asking.Operation,
            ["asked"] = asking.Number,
            ["lane"] = asking.Lane,
        };
        if (result is null || result.Given || result.Answer is null)
        {
            line["none"] = result is null ? "nothing" : result.Given ? "given" : "failed";
            answers.Write(line);
            return;
        }
        result.Given = true;
        long beginNs = Clock.Now;
        long records = recorder.Publish();
        // In words already here, so that the pause has the whole of it.
        string words = result.Answer().ToJsonString();
        line["tick"] = result.Tick;
        line["start_ns"] = result.StartNs;
        line["end_ns"] = result.EndNs;
        line["records"] = records;
        line["pause"] = new JsonArray(beginNs, Clock.Now);
        answers.Write(line, words);
        // Records were written to be seen, and so is what says so.
        answers.Flush();
    }

    /// <summary>
    /// Results that are kept of one lane, and what is asked of it. A lane belongs to one thread at a time.
    /// </summary>
    public sealed class Kept(Asked asked)
    {
        private readonly ConcurrentQueue<Asking> _waiting = [];
        private volatile IReadOnlyList<Result>? _results;
        private volatile bool _answering;

        /// <summary>The lane begins its next operations, when an answer that is being given has been.</summary>
        public void Begin()
        {
            _results = null;
            // Whoever answers says so before it looks for results: one of both sees the other.
            Interlocked.MemoryBarrier();
            if (_answering)
            {
                lock (asked._gate)
                {
                    // It has been given.
                }
            }
        }

        /// <summary>The lane's operations have ended.</summary>
        public void End(IReadOnlyList<Result> brought)
        {
            _results = brought;
            Interlocked.MemoryBarrier();
            if (!_waiting.IsEmpty)
            {
                AnswerWaiting();
            }
        }

        /// <summary>Answers now, or when the lane has ended what it is at.</summary>
        internal void Hear(Asking asking)
        {
            // Waiting first: either the lane that ends sees it, or its results are there.
            _waiting.Enqueue(asking);
            Interlocked.MemoryBarrier();
            if (_results is not null)
            {
                AnswerWaiting();
            }
        }

        private void AnswerWaiting()
        {
            lock (asked._gate)
            {
                _answering = true;
                Interlocked.MemoryBarrier();
                try
                {
                    while (_results is { } brought && !asked._closed && _waiting.TryDequeue(out Asking asking))
                    {
                        asked.Answer(asking, brought);
                    }
                }
                finally
                {
                    _answering = false;
                }
            }
        }
    }
}
