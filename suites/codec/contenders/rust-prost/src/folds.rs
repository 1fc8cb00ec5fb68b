//! Checksums of the messages, over their own fields.

use wirelab_codec::{Fold, counted, float, positions, string, total, weighted};

use crate::messages::{Chat, Stroke, T1, T2, T3, T4, T5, Telemetry};

impl Fold for T1 {
    #[inline]
    fn fold(&self) -> u32 {
        positions([
            self.c as u32,
            self.uc,
            self.i16 as u32,
            self.u16,
            self.i32 as u32,
            self.u32,
            self.i64 as u32,
            self.u64 as u32,
            float(self.f.into()),
            float(self.d),
        ])
    }
}

impl Fold for T2 {
    #[inline]
    fn fold(&self) -> u32 {
        let fields =
            [&self.s1, &self.s2, &self.s3, &self.s4, &self.s5, &self.s6, &self.s7, &self.s8];
        positions(fields.map(|text| string(text)))
    }
}

impl Fold for T3 {
    #[inline]
    fn fold(&self) -> u32 {
        self.v.fold()
    }
}

impl Fold for T4 {
    #[inline]
    fn fold(&self) -> u32 {
        self.v.fold()
    }
}

impl Fold for T5 {
    #[inline]
    fn fold(&self) -> u32 {
        let entries = self.m.iter().map(|(key, list)| {
            weighted([(3, string(key)), (5, positions(list.v.iter().map(|one| *one as u32)))])
        });
        counted(self.m.len()).wrapping_add(total(entries))
    }
}

impl Fold for Telemetry {
    #[inline]
    fn fold(&self) -> u32 {
        let points = self.points.iter().map(|point| {
            weighted([(3, point.time as u32), (5, float(point.value)), (7, point.quality as u32)])
        });
        counted(self.points.len()).wrapping_add(total(points))
    }
}

impl Fold for Chat {
    #[inline]
    fn fold(&self) -> u32 {
        let author = self.author.as_ref().map_or(0, |author| {
            let active = author.active.into();
            weighted([(9, author.id), (11, string(&author.name)), (13, active)])
        });
        weighted([
            (3, string(&self.id)),
            (5, self.sent as u32),
            (7, string(&self.board)),
            (1, author),
            (15, string(&self.text)),
            (1, counted(self.mentions.len() + self.strokes.len())),
            (1, positions(self.mentions.iter().map(|name| string(name)))),
            (1, total(self.strokes.iter().map(Fold::fold))),
        ])
    }
}

impl Fold for Stroke {
    #[inline]
    fn fold(&self) -> u32 {
        let corners = self.points.iter();
        let corners = corners.map(|point| weighted([(21, point.x as u32), (23, point.y as u32)]));
        weighted([(17, string(&self.color)), (19, float(self.width)), (1, total(corners))])
    }
}
