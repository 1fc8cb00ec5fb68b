using System.Runtime.ExceptionServices;
using System.Text;

namespace Wirelab;

/// <summary>Commands of the core to a worker: one JSON object a line, read by a background thread.</summary>
/// <remarks>
/// End of input means stop, and so does a line that is no command: after it nothing that comes in can be trusted.
/// </remarks>
public sealed class Commands
{
    private readonly Stream _input;
    private readonly Action<Asking> _asked;
    private readonly object _gate = new();
    private long? _startNs;
    private volatile bool _stopped;
    private Exception? _failure;

    internal Commands(Stream input, Action<Asking> asked)
    {
        _input = input;
        _asked = asked;
    }

    /// <summary>True once the worker is to end.</summary>
    public bool Stopped => _stopped;

    /// <summary>Starts to read.</summary>
    internal void Listen() =>
        new Thread(Read) { IsBackground = true, Name = "wirelab-commands" }.Start();

    /// <summary>Waits for <c>start</c>: the time of tick 0 on CLOCK_MONOTONIC, or null when stopped.</summary>
    public long? AwaitStart()
    {
        WaitUntil(() => _startNs is not null || _stopped, Timeout.Infinite);
        return _stopped ? null : _startNs;
    }

    /// <summary>Waits for <c>stop</c>; for roles that serve until they are told to end.</summary>
    public void AwaitStop() => WaitUntil(() => _stopped, Timeout.Infinite);

    /// <summary>Waits until <paramref name="holds"/>, looked at when woken, or so many milliseconds.</summary>
    internal void WaitUntil(Func<bool> holds, int milliseconds)
    {
        lock (_gate)
        {
            while (!holds() && Monitor.Wait(_gate, milliseconds))
            {
                // Woken: to look again.
            }
        }
    }

    /// <summary>Has whoever waits look again.</summary>
    internal void Wake()
    {
        lock (_gate)
        {
            Monitor.PulseAll(_gate);
        }
    }

    /// <summary>Throws why a line could not be understood, or obeyed, if there was one.</summary>
    internal void RefuseFailure()
    {
        if (_failure is not null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
    }

    private void Read()
    {
        try
        {
            using var lines = new StreamReader(_input, Encoding.UTF8);
            string? line = Next(lines);
            while (line is not null && Obey(line))
            {
                line = Next(lines);
            }
        }
        catch (Exception why)
        {
            // Nobody would hear of a stop any more.
            _failure = why;
        }
        _stopped = true;
        Wake();
    }

    /// <summary>The next line; null at the end of input, and where it cannot be read.</summary>
    private static string? Next(StreamReader lines)
    {
        try
        {
            return lines.ReadLine();
        }
        catch (IOException broken)
        {
            Console.Error.WriteLine($"standard input cannot be read: {broken.Message}");
            return null;
        }
    }

    /// <summary>Does what <paramref name="line"/> says; false when that is to stop.</summary>
    private bool Obey(string line)
    {
        Fields command = Fields.Of(Encoding.UTF8.GetBytes(line));
        switch (command.Text("command"))
        {
            case "start":
                _startNs = command.Integer("monotonic_ns");
                Wake();
                return true;
            case "answer":
                _asked(new Asking(
                    command.Integer("asked"), command.Text("operation"), command.Within("lane", 0, int.MaxValue)));
                return true;
            case "stop":
                return false;
            default:
                throw new ContractException($"unknown command: {line}");
        }
    }
}
