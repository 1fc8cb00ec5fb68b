using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json.Nodes;
using Wirelab;

namespace Wirelab.Test;

/// <summary>A client without a library, whose behaviour the spec's parameters script.</summary>
internal sealed class ScriptedClient : IClient
{
    private readonly Fields _script;
    private long _refusals;
    private volatile bool _connected;

    public ScriptedClient(Spec spec)
    {
        _script = spec.Parameters;
        _refusals = _script.Integer("refusals", 0);
        Console.WriteLine("a library that prints to standard output");
        ThreadPool.GetMinThreads(out int threads, out _);
        Console.WriteLine($"a half is {0.5}, in German {InGerman(0.5)}");
        Console.WriteLine($"the pool begins with {threads} threads");
        // It would keep the process alive.
        new Thread(() => Thread.Sleep(Timeout.Infinite)).Start();
    }

    public IReadOnlyCollection<string> Operations => ["read", "write"];

    public (string Name, string Version) Library => ("scripted", "1");

    public IReadOnlyCollection<string> Capabilities => [];

    public bool Connected => _connected;

    public Request Prepare(string operation, Turn turn)
    {
        bool scripted = turn.Phase == Phase.Measure && operation == "read";
        bool Is(string name) => scripted && turn.Index == _script.Integer(name, -1);
        string said = $"{turn.Phase.ToString().ToUpperInvariant()} {operation} {turn.Index}";
        if (Is("hang_at"))
        {
            return () =>
            {
                Console.WriteLine(said);
                return new TaskCompletionSource<Outcome>().Task;
            };
        }
        if (Is("throw_at"))
        {
            return () => throw new IOException("as scripted");
        }
        Fault[] faults = Is("bad_at") ? [new Fault(Scope.Item, "Code", "BadItem", "item 3")] : [];
        long slowNs = Is("slow_at") ? _script.Integer("slow_ns") : 0;
        return () => Task.Run(() =>
        {
            Sleep(slowNs);
            Console.WriteLine(said);
            GC.KeepAlive(new byte[_script.Integer("allocated", 0)]);
            return Outcome.Answered(faults, () => new JsonObject { ["index"] = turn.Index });
        });
    }

    public Request PrepareConnect() => () =>
    {
        if (_refusals-- > 0)
        {
            return Task.FromException<Outcome>(new IOException("refused"));
        }
        _connected = true;
        return Task.Run(() =>
        {
            Sleep(_script.Integer("connect_ns", 0));
            return Outcome.Ok;
        });
    };

    public Outcome Failed(Exception thrown) =>
        Outcome.Failed(_connected ? Status.Error : Status.Refused, Fault.OfCall(thrown, "Scripted"));

    public Task Disconnect() =>
        _script.Has("hang_at") ? new TaskCompletionSource().Task : Task.CompletedTask;

    /// <summary>A number as Germans write it; without ICU, .NET does not know how.</summary>
    private static string InGerman(double number)
    {
        try
        {
            return number.ToString(CultureInfo.GetCultureInfo("de-DE"));
        }
        catch (CultureNotFoundException)
        {
            return "unknown";
        }
    }

    private static void Sleep(long ns) => Thread.Sleep(TimeSpan.FromTicks(ns / TimeSpan.NanosecondsPerTick));
}

/// <summary>Accepts connections, says nothing on them, and closes as the parameters say.</summary>
internal sealed class ScriptedServer : IServer
{
    private readonly Fields _script;
    private readonly TcpListener _socket;

    private ScriptedServer(Spec spec)
    {
        _script = spec.Parameters;
        _socket = new TcpListener(spec.ListenAddress());
        _socket.Start();
    }

    public (string Name, string Version) Library => ("scripted", "1");

    public string Endpoint => $"tcp://127.0.0.1:{((IPEndPoint)_socket.LocalEndpoint).Port}";

    public JsonObject Facts => new() { ["protocol"] = "silence" };

    public static Task<IServer> Start(Spec spec) => Task.FromResult<IServer>(new ScriptedServer(spec));

    public async Task Close()
    {
        switch (_script.Text("close", "well"))
        {
            case "never":
                await Task.Delay(Timeout.Infinite);
                break;
            case "badly":
                throw new IOException("as scripted");
            default:
                _socket.Stop();
                break;
        }
    }
}
