"""Figures: every function draws on one Axes and returns it.

Of scores: `plot_scores`, `plot_means`, `plot_intervals`, `plot_differences`, `plot_distributions`,
`plot_mean_spread`, `plot_thresholds`, `plot_among`, `plot_factors`. Of results: `plot_against`
(tests), `plot_ranks`, `plot_gmap_curve`, `plot_swap_rates`, `plot_factor_sampling`. Of any numbers:
`plot_systems`, `plot_beside_curve`, `plot_lines`, `plot_densities`, `plot_forms`. `panels` creates
Axes side by side; `look` gives your own figures the same style.

All ``plot_`` functions take the keywords `ax` (by default that of a new figure), `size` (of a new
figure, in inches: width, height), `title` and `ylim` (limits of the y axis, each a number or None).

WMZ08 is Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346; RM08 is Ravana, Moffat (2008),
doi:10.1145/1390334.1390452; HCMV10 is Hosseini, Cox, Milic-Frayling, Vinay (2010),
doi:10.1007/978-3-642-13084-7_7; ULH19 is Urbano, Lima, Hanjalic (2019),
doi:10.1145/3331184.3331315.
"""

from irstd.plots.curves import plot_beside_curve as plot_beside_curve
from irstd.plots.curves import plot_forms as plot_forms
from irstd.plots.curves import plot_lines as plot_lines
from irstd.plots.curves import plot_systems as plot_systems
from irstd.plots.differences import plot_against as plot_against
from irstd.plots.differences import plot_differences as plot_differences
from irstd.plots.methods import plot_densities as plot_densities
from irstd.plots.methods import plot_gmap_curve as plot_gmap_curve
from irstd.plots.methods import plot_ranks as plot_ranks
from irstd.plots.methods import plot_swap_rates as plot_swap_rates
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
