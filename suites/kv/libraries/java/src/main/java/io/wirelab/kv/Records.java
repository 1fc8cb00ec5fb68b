package io.wirelab.kv;

import io.wirelab.sdk.Fault;
import io.wirelab.sdk.LaneCall;
import io.wirelab.sdk.LaneWork;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** The operation {@code ycsb}: reads, updates, inserts and changes of single records. */
final class Records implements LaneWork<Records.Task, Records.Done> {
    /** Its name in scenarios. */
    static final String OPERATION = "ycsb";

    private final RecordStore<?> store;
    private final Workload.Draws draws;
    private final Sequences sequences;

    /**
     * One operation, ready for the library.
     *
     * @param newest the last record that was inserted when it was drawn
     * @param sequence number of what it writes; 0 where it writes nothing
     * @param from the first of the fields that it writes
     * @param values what it writes into them; nothing of a read
     */
    record Task(Workload.Drawn drawn, long record, long newest, String key, long sequence,
            int from, List<byte[]> values, Sequences.Seen seen) {
        /** The first field behind those that it writes. */
        int until() {
            return from + values.size();
        }
    }

    /** The fields that the library gave for a task; null where nothing comes back. */
    record Done(Task task, List<byte[]> fields) {}

    Records(Spec spec, RecordStore<?> store) {
        this.store = store;
        draws = new Workload.Draws(spec);
        sequences = new Sequences(draws.records());
    }

    @Override
    public List<String> operations() {
        return List.of(OPERATION);
    }

    @Override
    public void begin(Spec.Step step) {
        Workload.of(step);
    }

    @Override
    public boolean inRounds(Spec.Step step) {
        return Clients.inRounds(step);
    }

    /** Draws what is due, and notes that it begins. */
    @Override
    public Task prepare(LaneCall call) {
        Workload workload = Workload.of(call.step());
        Workload.Drawn drawn = draws.at(workload, call.tick(), call.lane());
        long newest = sequences.newest();
        long record = drawn.kind() == Workload.Kind.INSERT
                ? sequences.insert() : draws.recordOf(workload, drawn.rank(), newest);
        Sequences.Seen seen = sequences.beginRead(record);
        int from = writesAll(drawn.kind()) ? 0 : drawn.field();
        int until = writesAll(drawn.kind()) ? UserTable.FIELDS : from + 1;
        long sequence = drawn.kind().changes() ? sequences.beginWrite(record, from, until) : 0;
        List<byte[]> values = new ArrayList<>();
        for (int field = from; drawn.kind().writes() && field < until; field++) {
            values.add(UserTable.value(record, field, sequence));
        }
        return new Task(drawn, record, newest, UserTable.nameOf(record), sequence, from, values,
                seen);
    }

    private boolean writesAll(Workload.Kind kind) {
        return kind == Workload.Kind.INSERT || kind.changes() && store.hasWholeRecords();
    }

    @Override
    public Done call(Task task, LaneCall call) throws Exception {
        List<byte[]> fields = null;
        switch (task.drawn.kind()) {
            case READ -> fields = store.readRecord(task.key);
            case UPDATE -> store.writeRecord(task.key, task.from, task.values);
            case INSERT -> store.insertRecord(task.key, task.values);
            case MODIFY -> fields = store.modifyRecord(task.key, task.from, task.values);
        }
        return new Done(task, fields);
    }

    /** Judges whether what was found is what had been written, and no older. */
    @Override
    public Outcome judge(LaneCall call, Done done) {
        Task task = done.task;
        Workload.Kind kind = task.drawn.kind();
        if (kind == Workload.Kind.INSERT) {
            sequences.inserted(task.record);
        }
        if (kind.changes()) {
            sequences.endWrite(task.record, task.from, task.until(), task.sequence);
        }
        List<Long> found = List.of();
        if (kind.reads()) {
            found = found(task, done.fields);
            if (found.isEmpty()) {
                return wrong(task, "a field is not of this record, or is older than it may be");
            }
            if (kind.changes() && !sequences.changed(task.record, task.from,
                    found.subList(task.from, task.until()))) {
                return wrong(task, "another change had replaced what this one read");
            }
        }
        List<Long> writes = found;
        long size = bytes(task.values) + (kind.reads() ? bytes(done.fields) : 0);
        return new Outcome(Status.OK, List.of(), size, () -> answer(done, writes));
    }

    /** The writes that a read found, by field; none where one of them cannot be. */
    private List<Long> found(Task task, List<byte[]> fields) {
        List<Long> found = new ArrayList<>();
        if (fields == null || fields.size() != UserTable.FIELDS) {
            return found;
        }
        for (int field = 0; field < UserTable.FIELDS; field++) {
            long sequence = UserTable.sequenceOf(
                    fields.get(field), task.record, field, draws.records());
            if (sequence == UserTable.NOBODY || !task.seen.mayFind(field, sequence)) {
                return List.of();
            }
            found.add(sequence);
        }
        return found;
    }

    private static Outcome wrong(Task task, String why) {
        String said = task.drawn.kind() + " of record " + task.record + ": " + why;
        return Outcome.failed(Status.WRONG_ANSWER,
                new Fault(Fault.Scope.CALL, "WrongAnswer", "", said));
    }

    private static long bytes(List<byte[]> values) {
        return values.stream().mapToLong(value -> value.length).sum();
    }

    private static Map<String, Object> answer(Done done, List<Long> found) {
        Task task = done.task;
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("kind", task.drawn.kind().toString());
        answer.put("record", task.record);
        answer.put("newest", task.newest);
        if (task.drawn.kind().changes()) {
            answer.put("field", task.drawn.field());
            answer.put("sequence", task.sequence);
        }
        if (task.drawn.kind().reads()) {
            CRC32 content = new CRC32();
            done.fields.forEach(content::update);
            answer.put("found", found);
            answer.put("content", String.format("%08x", content.getValue()));
        }
        return answer;
    }

    @Override
    public Outcome explain(LaneCall call, Throwable thrown) {
        return Outcome.failed(store.statusOf(thrown), Fault.ofCall(thrown, store.nameOf(thrown)));
    }
}
