using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>The messages of a call; an echo has one.</summary>
internal sealed record AskedMessages(byte[][] Messages);

/// <summary>Work of users in their lanes: <c>echo</c>, <c>send</c>, and connect.</summary>
internal sealed class Users : ILaneWork<AskedMessages, byte[]>
{
    private const int SecondMilliseconds = 1_000;
    private const long MillisecondNs = 1_000_000;

    private readonly Worker _worker;
    private readonly ITransport _transport;
    private readonly Message _messages;
    private readonly Deliveries _deliveries;
    private readonly Phases _phases;
    private readonly IReadOnlyList<Step> _steps;
    private readonly bool _closed;
    private readonly bool _stamped;
    private volatile bool _lost;

    public Users(Worker worker, ITransport transport, Message messages, Deliveries deliveries, LaneSchedule schedule)
    {
        _worker = worker;
        _transport = transport;
        _messages = messages;
        _deliveries = deliveries;
        _phases = new Phases(worker.Spec, schedule, deliveries);
        _steps = schedule.Steps;
        _closed = schedule.Closed;
        Fields facts = worker.Spec.Facts;
        _stamped = facts.Names.Any(role => facts.Object(role).Flag("stamps", false));
        All = Enumerable.Range(0, schedule.Users)
            .Select(number => new User(number, transport, messages, InboxOf(number))).ToArray();
    }

    /// <summary>Every user of the trial.</summary>
    public User[] All { get; }

    public IReadOnlyCollection<string> Operations => ["echo", "send"];

    /// <summary>Joining of users; nobody joins where connecting is part of the first call.</summary>
    public Joining? Joining => _worker.Spec.Parameters.Text("connect", "before") == "timed"
        ? null
        : (call, limit) => All[call.Lane].Connect(limit);

    public IArrivals Arrivals => _phases;

    public void Starts(long startNs)
    {
        _deliveries.StartAt(startNs);
        Start("wirelab-intervals", WriteIntervals);
        if (!_closed)
        {
            _phases.Begin();
            LoseOne(startNs + _worker.Spec.Schedule.FirstNs);
        }
    }

    /// <summary>Tries what a connection promises, where nobody dies or takes its time.</summary>
    public void TryPromises()
    {
        Fields parameters = _worker.Spec.Parameters;
        bool disturbed = parameters.Integer("client_dies_ms", 0) > 0 || parameters.Integer("slow_consumer_ms", 0) > 0
            || parameters.Has("receivers");
        if (_worker.Spec.Operations.Any(one => one.Name == "send") && !disturbed && !_worker.Commands.Stopped)
        {
            new Promises(_messages, _deliveries, _phases, _steps[^1]).Try(All).GetAwaiter().GetResult();
        }
    }

    public AskedMessages Prepare(LaneCall call)
    {
        Numbered numbered = _phases.Numbered(call);
        return new AskedMessages(Enumerable.Range(0, numbered.Count)
            .Select(number => _messages.Compose(call.Lane, numbered.Sequence + number, numbered.Size)).ToArray());
    }

    public async Task<byte[]> Call(AskedMessages asked, LaneCall call, CancellationToken limit)
    {
        User user = All[call.Lane];
        if (!IsSend(call))
        {
            return await user.Echo(asked.Messages[0], call, limit).ConfigureAwait(false);
        }
        foreach (byte[] message in asked.Messages)
        {
            Message.StampSent(message, call.StartNs, call.IntendedNs);
        }
        _deliveries.HandsOver(call.Lane, asked.Messages[0]);
        try
        {
            await user.Send(asked.Messages, _phases.Streams, limit).ConfigureAwait(false);
        }
        finally
        {
            _deliveries.HandedOver();
        }
        return asked.Messages[0];
    }

    public Outcome Judge(LaneCall call, byte[] answer)
    {
        (long sequence, int size, int count) = _phases.Numbered(call);
        if (IsSend(call))
        {
            // Whoever is gone is not waited for.
            _deliveries.Sent(call.IntendedNs, call.Lane, (ReceiversOf(_phases.OwedTo(call)) - (_lost ? 1 : 0)) * count);
            return new Outcome(Status.Ok, [], (long)size * count);
        }
        if (!_messages.IsIntact(answer, call.Lane, sequence, size))
        {
            return WrongMessage("another message came back");
        }
        long servedNs = Message.ServedNsOf(answer);
        if (_stamped && (servedNs < call.StartNs || servedNs > call.EndNs))
        {
            return WrongMessage("the server did not answer between the call's start and its end");
        }
        return new Outcome(Status.Ok, [], 2L * answer.Length, () => AnswerOf(answer));
    }

    /// <summary>After a loss the next operation connects again, where the library does not by itself.</summary>
    public Outcome Explain(LaneCall call, Exception thrown)
    {
        Status status = _transport.StatusOf(thrown);
        if (status is Status.Disconnected or Status.Refused && !_transport.ReconnectsItself)
        {
            _ = All[call.Lane].Leave();
        }
        return Outcome.Failed(status, Fault.OfCall(thrown, ""));
    }

    private static bool IsSend(LaneCall call) => call.Operation.Name == "send";

    private static Outcome WrongMessage(string what) =>
        Outcome.Failed(Status.WrongAnswer, new Fault(Scope.Call, "WrongMessage", "", what));

    private static JsonObject AnswerOf(byte[] answer) => new()
    {
        ["user"] = Message.UserOf(answer),
        ["sequence"] = Message.SequenceOf(answer),
        ["size"] = answer.Length,
        ["crc32"] = Crc32.Of(Message.WithoutTimes(answer)),
        ["served_ns"] = Message.ServedNsOf(answer),
    };

    /// <summary>Number of users among so many that get what is sent to all: the first ones.</summary>
    private int ReceiversOf(int users) =>
        (int)Math.Min(users, _worker.Spec.Parameters.Integer("receivers", users));

    /// <summary>
    /// Inbox for a user's deliveries, null where nobody sends or this user gets nothing of it; the slow consumer of a
    /// scenario takes its time.
    /// </summary>
    private Inbox? InboxOf(int user)
    {
        if (_worker.Spec.Operations.All(operation => operation.Name != "send") || user >= ReceiversOf(user + 1))
        {
            return null;
        }
        long pauseMs = _worker.Spec.Parameters.Integer("slow_consumer_ms", 0);
        if (user != 1 || pauseMs == 0)
        {
            return message =>
            {
                _deliveries.Delivered(user, message.Span);
                return ValueTask.CompletedTask;
            };
        }
        return async message =>
        {
            await Task.Delay(TimeSpan.FromMilliseconds(pauseMs)).ConfigureAwait(false);
            _deliveries.Delivered(user, message.Span);
        };
    }

    /// <summary>The user of a scenario that dies while the others go on.</summary>
    private void LoseOne(long zeroNs)
    {
        long afterMs = _worker.Spec.Parameters.Integer("client_dies_ms", 0);
        if (afterMs == 0 || All.Length < 2)
        {
            return;
        }
        Start("wirelab-loss", () =>
        {
            User dying = All[1];
            bool Stopped() => _worker.Commands.Stopped;
            // On a busy machine it may not be there yet, and would only come afterwards.
            bool there = Ticker.Until(zeroNs + afterMs * MillisecondNs, Stopped);
            while (there && !dying.IsConnected)
            {
                there = Ticker.Until(Clock.Now + MillisecondNs, Stopped);
            }
            if (there)
            {
                _lost = true;
                dying.Abandon().GetAwaiter().GetResult();
            }
        });
    }

    /// <summary>Old seconds go to the file while new ones are counted: memory stays bounded.</summary>
    private void WriteIntervals()
    {
        try
        {
            while (true)
            {
                Thread.Sleep(SecondMilliseconds);
                _deliveries.Write(all: false);
            }
        }
        catch (IOException full)
        {
            Console.Error.WriteLine($"intervals are no longer written: {full.Message}");
        }
    }

    private static void Start(string name, ThreadStart what) =>
        new Thread(what) { IsBackground = true, Name = name }.Start();
}
