using Wirelab;

namespace Wirelab.Test;

/// <summary>Records that are in the file when the recorder says so.</summary>
internal static class PublishedRecords
{
    private const int Threads = 4;
    private const int Each = 20_000;

    /// <summary>
    /// Publishes while threads record, and holds the file at <paramref name="path"/> to what was said; returns the
    /// records of all threads.
    /// </summary>
    public static long Look(string path)
    {
        using var recorder = new Recorder(path);
        Hold(path, recorder, 0);
        recorder.Record(0, 0, 0, 0, 1, 0, ushort.MaxValue);
        Hold(path, recorder, 1);
        Hold(path, recorder, 1);
        var threads = Enumerable.Range(0, Threads).Select(lane => new Thread(() =>
        {
            for (int i = 0; i < Each; i++)
            {
                recorder.Record(i, i, i, i, 1, 0, (ushort)lane);
            }
        })).ToList();
        threads.ForEach(thread => thread.Start());
        foreach (Thread thread in threads)
        {
            while (!thread.Join(1))
            {
                long said = recorder.Publish();
                if (Length(path) < said)
                {
                    throw new InvalidDataException($"{said} records are said, {Length(path)} are there");
                }
            }
        }
        Hold(path, recorder, 1 + Threads * Each);
        recorder.Dispose();
        Hold(path, recorder, 1 + Threads * Each);
        return OfThreads(path);
    }

    private static void Hold(string path, Recorder recorder, long expected)
    {
        long said = recorder.Publish();
        if (said != expected || Length(path) != expected)
        {
            throw new InvalidDataException($"{said} records are said and {Length(path)} there, not {expected}");
        }
    }

    private static long Length(string path) => new FileInfo(path).Length / Recorder.RecordSize - 1;

    /// <summary>Number of records of threads, each of which has them in its own order.</summary>
    private static long OfThreads(string path)
    {
        long[] next = new long[Threads];
        byte[] file = File.ReadAllBytes(path);
        for (int at = 2 * Recorder.RecordSize; at < file.Length; at += Recorder.RecordSize)
        {
            int lane = BitConverter.ToUInt16(file, at + 30);
            if (BitConverter.ToInt64(file, at) != next[lane]++)
            {
                throw new InvalidDataException($"record {at / Recorder.RecordSize} of thread {lane} is not in its order");
            }
        }
        return next.Sum();
    }
}
