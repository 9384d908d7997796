// What a puzzle asks for, by the outcome that is to be kept.

export const AIMS = { win: "find the only move that wins", draw: "find the only move that keeps the draw" };
