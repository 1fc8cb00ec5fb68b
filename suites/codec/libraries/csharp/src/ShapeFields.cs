namespace Codec;

public readonly partial struct T1Shape
{
    public void Write<TWriter>(ref TWriter writer, T1 value)
        where TWriter : struct, IFieldWriter
    {
        writer.Number(value.C);
        writer.Number(value.Uc);
        writer.Number(value.I16);
        writer.Number(value.U16);
        writer.Number(value.I32);
        writer.Number(value.U32);
        writer.Number(value.I64);
        writer.Number(value.U64);
        writer.Number(value.F);
        writer.Number(value.D);
    }

    public T1 Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => new()
        {
            C = reader.Number<sbyte>(),
            Uc = reader.Number<byte>(),
            I16 = reader.Number<short>(),
            U16 = reader.Number<ushort>(),
            I32 = reader.Number<int>(),
            U32 = reader.Number<uint>(),
            I64 = reader.Number<long>(),
            U64 = reader.Number<ulong>(),
            F = reader.Number<float>(),
            D = reader.Number<double>(),
        };
}

public readonly partial struct T2Shape
{
    public void Write<TWriter>(ref TWriter writer, T2 value)
        where TWriter : struct, IFieldWriter
    {
        writer.Text(value.S1);
        writer.Text(value.S2);
        writer.Text(value.S3);
        writer.Text(value.S4);
        writer.Text(value.S5);
        writer.Text(value.S6);
        writer.Text(value.S7);
        writer.Text(value.S8);
    }

    public T2 Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => new()
        {
            S1 = reader.Text(),
            S2 = reader.Text(),
            S3 = reader.Text(),
            S4 = reader.Text(),
            S5 = reader.Text(),
            S6 = reader.Text(),
            S7 = reader.Text(),
            S8 = reader.Text(),
        };
}

public readonly partial struct T3Shape
{
    public void Write<TWriter>(ref TWriter writer, List<int> value)
        where TWriter : struct, IFieldWriter => writer.Integers(value);

    public List<int> Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => reader.Integers();
}

public readonly partial struct T4Shape
{
    public void Write<TWriter>(ref TWriter writer, List<string> value)
        where TWriter : struct, IFieldWriter => writer.Texts(value);

    public List<string> Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => reader.Texts();
}

public readonly partial struct T5Shape
{
    public void Write<TWriter>(ref TWriter writer, Dictionary<string, List<int>> value)
        where TWriter : struct, IFieldWriter => writer.Lists(value);

    public Dictionary<string, List<int>> Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => reader.Lists();
}

public readonly partial struct TelemetryShape
{
    private static readonly Element Point = new(sizeof(long) + sizeof(double) + sizeof(int));

    public void Write<TWriter>(ref TWriter writer, Telemetry value)
        where TWriter : struct, IFieldWriter
    {
        if (!writer.Count(value.Points.Count, Point))
        {
            return;
        }
        foreach (TelemetryPoint point in value.Points)
        {
            writer.Number(point.Time);
            writer.Number(point.Value);
            writer.Number(point.Quality);
        }
    }

    public Telemetry Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader
    {
        int count = reader.Count(Point);
        var points = new List<TelemetryPoint>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new TelemetryPoint
            {
                Time = reader.Number<long>(),
                Value = reader.Number<double>(),
                Quality = reader.Number<int>(),
            });
        }
        return new Telemetry { Points = points };
    }
}
