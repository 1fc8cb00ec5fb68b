package io.wirelab.kv;

import java.util.List;

/**
 * A store that has YCSB's user table as well: one record a call, of ten fields in order. What is
 * called here is called by several threads at a time, and throws as the library says it.
 *
 * @param <B> a multi-get in the library's own form
 */
public interface RecordStore<B> extends Store<B> {

    /** All fields of a record; null where there is none. */
    List<byte[]> readRecord(String key) throws Exception;

    /** Tells whether the database knows no fields, so that a write replaces all of a record. */
    default boolean hasWholeRecords() {
        return false;
    }

    /** Replaces fields of a record that is there: as many as there are values, from one on. */
    void writeRecord(String key, int from, List<byte[]> values) throws Exception;

    /** Makes a record that is not there. */
    void insertRecord(String key, List<byte[]> values) throws Exception;

    /**
     * Reads a record and replaces fields of what was read. Where another one has written between,
     * all of it is done again.
     *
     * @return what was read
     */
    List<byte[]> modifyRecord(String key, int from, List<byte[]> values) throws Exception;
}
