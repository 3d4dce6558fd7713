"""The documentation collection: documents, engines, and the campaign that they make."""

from irstd.documentation.campaign import documentation_campaign as documentation_campaign
