namespace Codec;

/// <summary>Ten primitives.</summary>
public sealed class T1
{
    public sbyte C { get; set; }
    public byte Uc { get; set; }
    public short I16 { get; set; }
    public ushort U16 { get; set; }
    public int I32 { get; set; }
    public uint U32 { get; set; }
    public long I64 { get; set; }
    public ulong U64 { get; set; }
    public float F { get; set; }
    public double D { get; set; }
}

/// <summary>Eight strings.</summary>
public sealed class T2
{
    public string S1 { get; set; } = "";
    public string S2 { get; set; } = "";
    public string S3 { get; set; } = "";
    public string S4 { get; set; } = "";
    public string S5 { get; set; } = "";
    public string S6 { get; set; } = "";
    public string S7 { get; set; } = "";
    public string S8 { get; set; } = "";
}

/// <summary>The points of a tag.</summary>
public sealed class Telemetry
{
    public List<TelemetryPoint> Points { get; set; } = [];
}

/// <summary>Value of a tag of a plant at a time.</summary>
public sealed class TelemetryPoint
{
    public long Time { get; set; }
    public double Value { get; set; }
    public int Quality { get; set; }
}

/// <summary>A message of a shared whiteboard.</summary>
public sealed class Chat
{
    public string Id { get; set; } = "";
    public long Sent { get; set; }
    public string Board { get; set; } = "";
    public Author Author { get; set; } = new();
    public string Text { get; set; } = "";
    public List<string> Mentions { get; set; } = [];
    public List<Stroke> Strokes { get; set; } = [];
}

/// <summary>Author of a message.</summary>
public sealed class Author
{
    public uint Id { get; set; }
    public string Name { get; set; } = "";
    public bool Active { get; set; }
}

/// <summary>A line drawn on the board.</summary>
public sealed class Stroke
{
    public string Color { get; set; } = "";
    public double Width { get; set; }
    public List<Position> Points { get; set; } = [];
}

/// <summary>A point on the board.</summary>
public sealed class Position
{
    public int X { get; set; }
    public int Y { get; set; }
}
