namespace Wirelab.Harness;

/// <summary>Samples recorded only to see what recording costs, in a file of their own.</summary>
internal sealed class Fillers(string path)
{
    private readonly Recorder _recorder = new(path);

    /// <summary>Records so many samples, as fast as the recorder takes them.</summary>
    public void Record(int count, byte operation)
    {
        long now = Clock.Now;
        for (int lane = 0; lane < count; lane++)
        {
            _recorder.Record(now, now, now, 0, operation, 0, (ushort)lane);
        }
    }

    /// <summary>Completes the file, checks that every record is in it, and removes it.</summary>
    public void Close()
    {
        _recorder.Dispose();
        long expected = (1 + _recorder.Count) * Recorder.RecordSize;
        long found = new FileInfo(path).Length;
        if (found != expected)
        {
            throw new IOException($"{_recorder.Count} records make no {found} bytes");
        }
        File.Delete(path);
    }
}
