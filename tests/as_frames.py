"""Dicts ``{topic: {document: value}}`` as frames, and back: the recipes of *Other tools*."""

import pandas as pd


def frame_of(held, value):
    rows = [(t, d, v) for t, documents in held.items() for d, v in documents.items()]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", value])


def run_of(held):
    return frame_of(held, "score")


def qrels_of(held):
    return frame_of(held, "relevance")


def dict_of(frame):
    value = frame.columns[-1]
    parts = frame.set_index("doc_id").groupby("query_id", sort=False)[value]
    return {topic: part.to_dict() for topic, part in parts}
