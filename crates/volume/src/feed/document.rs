//! A feed as a stream: one item after the other, whatever its length.

use super::amazon::{Ec2Type, Offers};
use super::azure::{AzurePrice, AzureSku};
use super::fresh::Fresh;
use super::google::GoogleSku;
use super::{amazon, azure, google};
use crate::catalog::{Cloud, Date};
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::fmt;
use std::io::Read;

/// Whose feed, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedKind {
    /// AWS Price List: an offer file of `AmazonEC2`.
    AwsPriceList,
    /// EC2 `DescribeInstanceTypes`.
    Ec2InstanceTypes,
    /// Prices of Azure.
    AzureRetailPrices,
    /// Sizes and limits of Azure's machines.
    AzureResourceSkus,
    /// The Cloud Billing Catalog of Google.
    GoogleSkus,
}

impl FeedKind {
    /// The name of the feed for people.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::AwsPriceList => "AWS price list",
            Self::Ec2InstanceTypes => "EC2 DescribeInstanceTypes",
            Self::AzureRetailPrices => "Azure Retail Prices",
            Self::AzureResourceSkus => "Azure Resource SKUs",
            Self::GoogleSkus => "Google Cloud Billing Catalog",
        }
    }

    /// The short name in the catalogue's list of sources.
    pub const fn source(self) -> &'static str {
        match self {
            Self::AwsPriceList => "feed-aws-price-list",
            Self::Ec2InstanceTypes => "feed-ec2-instance-types",
            Self::AzureRetailPrices => "feed-azure-retail-prices",
            Self::AzureResourceSkus => "feed-azure-resource-skus",
            Self::GoogleSkus => "feed-google-skus",
        }
    }

    /// Whose it is.
    pub const fn cloud(self) -> Cloud {
        match self {
            Self::AwsPriceList | Self::Ec2InstanceTypes => Cloud::Aws,
            Self::AzureRetailPrices | Self::AzureResourceSkus => Cloud::Azure,
            Self::GoogleSkus => Cloud::Gcp,
        }
    }
}

/// A feed that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// Not JSON, or not of the form, with line and column.
    #[error("{0}")]
    Form(serde_json::Error),
    /// JSON of something else.
    #[error("it is none of the feeds that are known")]
    Unknown,
    /// The terms of an AWS price list stand before its products: they were read and lost.
    #[error("its terms stand before its products")]
    Order,
}

/// What a file was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fed {
    /// Whose feed; several where pages of several were put together.
    pub kinds: Vec<FeedKind>,
    /// Items that were looked at.
    pub items: usize,
    /// The day that the feed itself states.
    pub published: Option<Date>,
}

/// Reads a feed into `fresh`; documents may follow each other, as pages of one answer do.
/// `read_on` is the day that is taken where the feed states none.
///
/// # Errors
///
/// [`FeedError`] with the line where the text is not of the form.
pub fn read(from: impl Read, read_on: Date, fresh: &mut Fresh) -> Result<Fed, FeedError> {
    let mut reader = Reader {
        fed: Fed::default(),
        fresh,
        offers: Offers::default(),
        read_on,
        lost: false,
    };
    let mut deserializer = serde_json::Deserializer::from_reader(from);
    loop {
        // `end` tells whether something follows, and keeps the place in the text for errors.
        if deserializer.end().is_ok() {
            break;
        }
        (&mut reader)
            .deserialize(&mut deserializer)
            .map_err(FeedError::Form)?;
    }
    let Reader {
        fed, offers, lost, ..
    } = reader;
    if lost {
        return Err(FeedError::Order);
    }
    if fed.kinds.is_empty() {
        return Err(FeedError::Unknown);
    }
    offers.into_fresh(fed.published.unwrap_or(read_on), fresh);
    Ok(fed)
}

struct Reader<'a> {
    fed: Fed,
    fresh: &'a mut Fresh,
    offers: Offers,
    read_on: Date,
    lost: bool,
}

impl Reader<'_> {
    fn note(&mut self, kind: FeedKind) {
        if !self.fed.kinds.contains(&kind) {
            self.fed.kinds.push(kind);
        }
    }

    fn item(&mut self, item: Item) {
        self.fed.items += 1;
        match item {
            Item::AzurePrice(item) => azure::price(&item, self.read_on, self.fresh),
            Item::AzureSku(item) => azure::sku(&item, self.read_on, self.fresh),
            Item::Google(item) => google::price(&item, self.read_on, self.fresh),
            Item::Ec2(item) => amazon::instance(*item, self.read_on, self.fresh),
        }
    }

    /// An item of a list that stands by itself.
    fn value(&mut self, value: Value) -> Result<(), serde_json::Error> {
        let has = |key: &str| value.get(key).is_some();
        let pages = ["Items", "skus", "InstanceTypes", "value"];
        if pages.into_iter().any(has) {
            return self.deserialize(value);
        }
        let (kind, item) = if has("armRegionName") {
            (FeedKind::AzureRetailPrices, Item::AzurePrice(of(value)?))
        } else if has("resourceType") {
            (FeedKind::AzureResourceSkus, Item::AzureSku(of(value)?))
        } else if has("InstanceType") {
            (FeedKind::Ec2InstanceTypes, Item::Ec2(of(value)?))
        } else if has("pricingInfo") {
            (FeedKind::GoogleSkus, Item::Google(of(value)?))
        } else {
            return Ok(());
        };
        self.note(kind);
        self.item(item);
        Ok(())
    }
}

fn of<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}

enum Item {
    AzurePrice(AzurePrice),
    AzureSku(AzureSku),
    Google(GoogleSku),
    Ec2(Box<Ec2Type>),
}

impl<'de> DeserializeSeed<'de> for &mut Reader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Reader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a feed of prices or instances")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(value) = seq.next_element::<Value>()? {
            self.value(value).map_err(A::Error::custom)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "publicationDate" => {
                    let day: String = map.next_value()?;
                    self.fed.published = day.get(..10).and_then(|day| day.parse().ok());
                }
                "products" => {
                    self.note(FeedKind::AwsPriceList);
                    map.next_value_seed(Each::new(self, |reader: &mut Reader<'_>, product| {
                        reader.fed.items += 1;
                        reader.offers.product(product);
                    }))?;
                }
                "terms" => {
                    self.lost = !self.fed.kinds.contains(&FeedKind::AwsPriceList);
                    let terms: amazon::Terms<'_> = amazon::Terms(&mut self.offers);
                    map.next_value_seed(terms)?;
                }
                "Items" => {
                    self.note(FeedKind::AzureRetailPrices);
                    let each = |reader: &mut Reader<'_>, item| {
                        reader.item(Item::AzurePrice(item));
                    };
                    map.next_value_seed(Each::new(self, each))?;
                }
                "skus" => {
                    self.note(FeedKind::GoogleSkus);
                    let each = |reader: &mut Reader<'_>, item| reader.item(Item::Google(item));
                    map.next_value_seed(Each::new(self, each))?;
                }
                "InstanceTypes" => {
                    self.note(FeedKind::Ec2InstanceTypes);
                    let each = |reader: &mut Reader<'_>, item| reader.item(Item::Ec2(item));
                    map.next_value_seed(Each::new(self, each))?;
                }
                "value" => {
                    self.note(FeedKind::AzureResourceSkus);
                    let each = |reader: &mut Reader<'_>, item| reader.item(Item::AzureSku(item));
                    map.next_value_seed(Each::new(self, each))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// Hands each item of a list, or each value of a map, to a function.
struct Each<'a, 'b, T, F> {
    reader: &'a mut Reader<'b>,
    take: F,
    of: std::marker::PhantomData<T>,
}

impl<'a, 'b, T, F: FnMut(&mut Reader<'b>, T)> Each<'a, 'b, T, F> {
    const fn new(reader: &'a mut Reader<'b>, take: F) -> Self {
        Self {
            reader,
            take,
            of: std::marker::PhantomData,
        }
    }
}

impl<'de, 'b, T: Deserialize<'de>, F: FnMut(&mut Reader<'b>, T)> DeserializeSeed<'de>
    for Each<'_, 'b, T, F>
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'b, T: Deserialize<'de>, F: FnMut(&mut Reader<'b>, T)> Visitor<'de>
    for Each<'_, 'b, T, F>
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(item) = seq.next_element()? {
            (self.take)(self.reader, item);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            (self.take)(self.reader, map.next_value()?);
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}
