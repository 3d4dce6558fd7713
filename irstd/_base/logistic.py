"""Scores between 0 and 1 of systems that differ in quality alone, by a logistic model."""

from __future__ import annotations

import numpy as np
import scipy

from irstd._base.arrays import two_way_residuals


def normal(shape: tuple[int, int], rng: np.random.Generator) -> list[np.ndarray]:
    """Standard normal numbers of topics, of systems, and of each score."""
    n_topics, n_systems = shape
    sizes = [(n_topics, 1), (1, n_systems), shape]
    return [rng.standard_normal(size) for size in sizes]


def bounded(
    model: np.ndarray, topics: np.ndarray, systems: np.ndarray, noise: np.ndarray
) -> np.ndarray:
    """Scores between 0 and 1; the model is the level and the sds of topics, systems and noise."""
    middle, of_topics, of_systems, of_noise = model
    logits = middle + of_topics * topics + of_systems * systems + of_noise * noise
    return scipy.special.expit(logits)


def _mean_and_components(values: np.ndarray) -> np.ndarray:
    """The mean, and the components of variance of topics, systems and what is left."""
    n_topics, n_systems = values.shape
    mean = values.mean()
    rest = (two_way_residuals(values) ** 2).sum() / ((n_topics - 1) * (n_systems - 1))
    of_topics = values.mean(axis=1).var(ddof=1) - rest / n_systems
    of_systems = values.mean(axis=0).var(ddof=1) - rest / n_topics
    return np.array([mean, of_topics, of_systems, rest])


def fitted(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The model whose scores have this mean and these components, on average."""
    target = _mean_and_components(values)
    if target[1:].min() <= 0:
        raise ValueError("systems, topics and what is left must vary: one of them does not")
    draws = [normal(values.shape, rng) for _ in range(10)]
    mean = target[0]
    slope = mean * (1 - mean)  # of the logistic function at the mean
    model = np.array([scipy.special.logit(mean), *(np.sqrt(target[1:]) / slope)])
    for _ in range(40):
        found = np.mean([_mean_and_components(bounded(model, *draw)) for draw in draws], axis=0)
        ratio = target[1:] / found[1:].clip(target[1:] / 4)
        model[0] += (mean - found[0]) / slope
        model[1:] *= np.sqrt(ratio.clip(0.25, 4))
    return model
