using Codec;
using Google.Protobuf;
using Proto = Codec.Proto;

namespace Protobuf;

/// <summary>Ten primitives.</summary>
internal readonly struct T1Mapping : IMapping<T1, Proto.T1>
{
    public MessageParser<Proto.T1> Parser => Proto.T1.Parser;

    public void Fill(Proto.T1 message, T1 value)
    {
        message.C = value.C;
        message.Uc = value.Uc;
        message.I16 = value.I16;
        message.U16 = value.U16;
        message.I32 = value.I32;
        message.U32 = value.U32;
        message.I64 = value.I64;
        message.U64 = value.U64;
        message.F = value.F;
        message.D = value.D;
    }

    public void Clear(Proto.T1 message)
    {
        message.C = 0;
        message.Uc = 0;
        message.I16 = 0;
        message.U16 = 0;
        message.I32 = 0;
        message.U32 = 0;
        message.I64 = 0;
        message.U64 = 0;
        message.F = 0;
        message.D = 0;
    }

    public T1 Native(Proto.T1 message) => new()
    {
        C = (sbyte)message.C,
        Uc = (byte)message.Uc,
        I16 = (short)message.I16,
        U16 = (ushort)message.U16,
        I32 = message.I32,
        U32 = message.U32,
        I64 = message.I64,
        U64 = message.U64,
        F = message.F,
        D = message.D,
    };

    public uint Fold(Proto.T1 message) =>
        (uint)message.C + 3u * message.Uc + 5u * (uint)message.I16 + 7u * message.U16 + 9u * (uint)message.I32
        + 11u * message.U32 + 13u * (uint)message.I64 + 15u * (uint)message.U64
        + 17u * Codec.Fold.Of(message.F) + 19u * Codec.Fold.Of(message.D);
}

/// <summary>Eight strings.</summary>
internal readonly struct T2Mapping : IMapping<T2, Proto.T2>
{
    public MessageParser<Proto.T2> Parser => Proto.T2.Parser;

    public void Fill(Proto.T2 message, T2 value)
    {
        message.S1 = value.S1;
        message.S2 = value.S2;
        message.S3 = value.S3;
        message.S4 = value.S4;
        message.S5 = value.S5;
        message.S6 = value.S6;
        message.S7 = value.S7;
        message.S8 = value.S8;
    }

    public void Clear(Proto.T2 message)
    {
        message.S1 = "";
        message.S2 = "";
        message.S3 = "";
        message.S4 = "";
        message.S5 = "";
        message.S6 = "";
        message.S7 = "";
        message.S8 = "";
    }

    public T2 Native(Proto.T2 message) => new()
    {
        S1 = message.S1,
        S2 = message.S2,
        S3 = message.S3,
        S4 = message.S4,
        S5 = message.S5,
        S6 = message.S6,
        S7 = message.S7,
        S8 = message.S8,
    };

    public uint Fold(Proto.T2 message) =>
        Codec.Fold.Of(message.S1) + 3u * Codec.Fold.Of(message.S2) + 5u * Codec.Fold.Of(message.S3)
        + 7u * Codec.Fold.Of(message.S4) + 9u * Codec.Fold.Of(message.S5) + 11u * Codec.Fold.Of(message.S6)
        + 13u * Codec.Fold.Of(message.S7) + 15u * Codec.Fold.Of(message.S8);
}

/// <summary>A list of integers.</summary>
internal readonly struct T3Mapping : IMapping<List<int>, Proto.T3>
{
    public MessageParser<Proto.T3> Parser => Proto.T3.Parser;

    public void Fill(Proto.T3 message, List<int> value) => message.V.AddRange(value);

    public void Clear(Proto.T3 message) => message.V.Clear();

    public List<int> Native(Proto.T3 message) => [.. message.V];

    public uint Fold(Proto.T3 message) =>
        Codec.Fold.Length * (uint)message.V.Count + Codec.Fold.Of(message.V);
}

/// <summary>A list of strings.</summary>
internal readonly struct T4Mapping : IMapping<List<string>, Proto.T4>
{
    public MessageParser<Proto.T4> Parser => Proto.T4.Parser;

    public void Fill(Proto.T4 message, List<string> value) => message.V.AddRange(value);

    public void Clear(Proto.T4 message) => message.V.Clear();

    public List<string> Native(Proto.T4 message) => [.. message.V];

    public uint Fold(Proto.T4 message) =>
        Codec.Fold.Length * (uint)message.V.Count + Codec.Fold.Of(message.V);
}

/// <summary>A map from string to list of integers.</summary>
internal readonly struct T5Mapping : IMapping<Dictionary<string, List<int>>, Proto.T5>
{
    public MessageParser<Proto.T5> Parser => Proto.T5.Parser;

    public void Fill(Proto.T5 message, Dictionary<string, List<int>> value)
    {
        foreach (KeyValuePair<string, List<int>> entry in value)
        {
            var list = new Proto.IntList();
            list.V.AddRange(entry.Value);
            message.M.Add(entry.Key, list);
        }
    }

    public void Clear(Proto.T5 message) => message.M.Clear();

    public Dictionary<string, List<int>> Native(Proto.T5 message)
    {
        var value = new Dictionary<string, List<int>>(message.M.Count);
        foreach (KeyValuePair<string, Proto.IntList> entry in message.M)
        {
            value.Add(entry.Key, [.. entry.Value.V]);
        }
        return value;
    }

    public uint Fold(Proto.T5 message)
    {
        uint sum = Codec.Fold.Length * (uint)message.M.Count;
        foreach (KeyValuePair<string, Proto.IntList> entry in message.M)
        {
            sum += 3u * Codec.Fold.Of(entry.Key) + 5u * Codec.Fold.Of(entry.Value.V);
        }
        return sum;
    }
}

/// <summary>A thousand points.</summary>
internal readonly struct TelemetryMapping : IMapping<Telemetry, Proto.Telemetry>
{
    public MessageParser<Proto.Telemetry> Parser => Proto.Telemetry.Parser;

    public void Fill(Proto.Telemetry message, Telemetry value)
    {
        foreach (TelemetryPoint point in value.Points)
        {
            message.Points.Add(new Proto.TelemetryPoint
            {
                Time = point.Time,
                Value = point.Value,
                Quality = point.Quality,
            });
        }
    }

    public void Clear(Proto.Telemetry message) => message.Points.Clear();

    public Telemetry Native(Proto.Telemetry message)
    {
        var points = new List<TelemetryPoint>(message.Points.Count);
        foreach (Proto.TelemetryPoint point in message.Points)
        {
            points.Add(new TelemetryPoint { Time = point.Time, Value = point.Value, Quality = point.Quality });
        }
        return new Telemetry { Points = points };
    }

    public uint Fold(Proto.Telemetry message)
    {
        uint sum = Codec.Fold.Length * (uint)message.Points.Count;
        for (int i = 0; i < message.Points.Count; i++)
        {
            Proto.TelemetryPoint point = message.Points[i];
            sum += 3u * (uint)point.Time + 5u * Codec.Fold.Of(point.Value) + 7u * (uint)point.Quality;
        }
        return sum;
    }
}
