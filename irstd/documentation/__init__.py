"""The documentation collection: documents, engines, and the campaign that they make."""

from irstd.documentation.docs_collection import documentation_campaign as documentation_campaign
