//! Checksums of archived values, read where they lie.

use rkyv::Archived;
use wirelab_codec::{Chat, Stroke, T1, T2, T3, T4, T5, Telemetry};
use wirelab_codec::{counted, float, positions, string, total, weighted};

#[inline]
pub fn t1(view: &Archived<T1>) -> u32 {
    positions([
        view.c as u32,
        view.uc.into(),
        view.i16.to_native() as u32,
        view.u16.to_native().into(),
        view.i32.to_native() as u32,
        view.u32.to_native(),
        view.i64.to_native() as u32,
        view.u64.to_native() as u32,
        float(view.f.to_native().into()),
        float(view.d.to_native()),
    ])
}

#[inline]
pub fn t2(view: &Archived<T2>) -> u32 {
    let fields = [&view.s1, &view.s2, &view.s3, &view.s4, &view.s5, &view.s6, &view.s7, &view.s8];
    positions(fields.map(|text| string(text)))
}

#[inline]
pub fn t3(view: &Archived<T3>) -> u32 {
    counted(view.len()).wrapping_add(positions(view.iter().map(|one| one.to_native() as u32)))
}

#[inline]
pub fn t4(view: &Archived<T4>) -> u32 {
    counted(view.len()).wrapping_add(positions(view.iter().map(|text| string(text))))
}

#[inline]
pub fn t5(view: &Archived<T5>) -> u32 {
    let entries = view.iter().map(|(key, list)| {
        let list = positions(list.iter().map(|one| one.to_native() as u32));
        weighted([(3, string(key)), (5, list)])
    });
    counted(view.len()).wrapping_add(total(entries))
}

#[inline]
pub fn telemetry(view: &Archived<Telemetry>) -> u32 {
    let points = view.points.iter().map(|point| {
        weighted([
            (3, point.time.to_native() as u32),
            (5, float(point.value.to_native())),
            (7, point.quality.to_native() as u32),
        ])
    });
    counted(view.points.len()).wrapping_add(total(points))
}

#[inline]
pub fn chat(view: &Archived<Chat>) -> u32 {
    weighted([
        (3, string(&view.id)),
        (5, view.sent.to_native() as u32),
        (7, string(&view.board)),
        (9, view.author.id.to_native()),
        (11, string(&view.author.name)),
        (13, view.author.active.into()),
        (15, string(&view.text)),
        (1, counted(view.mentions.len() + view.strokes.len())),
        (1, positions(view.mentions.iter().map(|name| string(name)))),
        (1, total(view.strokes.iter().map(stroke))),
    ])
}

#[inline]
fn stroke(view: &Archived<Stroke>) -> u32 {
    let corners = view.points.iter().map(|point| {
        weighted([(21, point.x.to_native() as u32), (23, point.y.to_native() as u32)])
    });
    let width = float(view.width.to_native());
    weighted([(17, string(&view.color)), (19, width), (1, total(corners))])
}
