"""Figures: every function draws on one Axes and returns it.

All take `ax` (by default that of a new figure), `size` (of a new figure, in inches), `title` and
`ylim` (limits of the y axis). `label` says at an axis what its numbers are. `scores` is a score
matrix.
"""

from irstd.plots.curves import plot_beside_curve as plot_beside_curve
from irstd.plots.curves import plot_forms as plot_forms
from irstd.plots.curves import plot_lines as plot_lines
from irstd.plots.differences import plot_against as plot_against
from irstd.plots.differences import plot_differences as plot_differences
from irstd.plots.methods import plot_densities as plot_densities
from irstd.plots.methods import plot_gmap_curve as plot_gmap_curve
from irstd.plots.methods import plot_ranks as plot_ranks
from irstd.plots.methods import plot_swap_rates as plot_swap_rates
from irstd.plots.methods import plot_systems as plot_systems
from irstd.plots.references import plot_among as plot_among
from irstd.plots.references import plot_factor_sampling as plot_factor_sampling
from irstd.plots.references import plot_factors as plot_factors
from irstd.plots.style import COLORS as COLORS
from irstd.plots.style import look as look
from irstd.plots.style import panels as panels
from irstd.plots.systems import plot_distributions as plot_distributions
from irstd.plots.systems import plot_intervals as plot_intervals
from irstd.plots.systems import plot_mean_spread as plot_mean_spread
from irstd.plots.systems import plot_means as plot_means
from irstd.plots.systems import plot_scores as plot_scores
from irstd.plots.systems import plot_thresholds as plot_thresholds
